// Play, scrub, speed.

import type { Stage } from "./stage";
import type { Instant } from "./time";
import { reading } from "./ticks";

const longest = 12; // seconds that a motion takes at speed 1, at most
const shortest = 4;

export class Player {
  private playing = false;
  private last = 0;
  private speed = 1;
  private readonly button = document.createElement("button");
  private readonly slider = document.createElement("input");
  private readonly output = document.createElement("output");
  private readonly begin: number;
  private readonly end: number;

  constructor(
    figure: HTMLElement,
    stage: Stage,
    private readonly instant: Instant,
  ) {
    this.begin = stage.t[0];
    this.end = stage.t[stage.t.length - 1];
    const frame = document.createElement("div");
    frame.className = "frame";
    const picture = figure.querySelector<SVGElement>("svg.picture");
    frame.append(stage.canvas, this.controls());
    if (picture) {
      if (!stage.canvas.hasAttribute("aria-label")) stage.canvas.setAttribute("aria-label", picture.getAttribute("aria-label") ?? "");
      picture.style.display = "none"; // kept for paper
      frame.append(picture);
    }
    figure.prepend(frame);
    instant.follow((t) => this.reached(t));
    instant.t = this.begin;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  private controls(): HTMLElement {
    const bar = document.createElement("div");
    bar.className = "controls";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Animation");
    this.button.type = "button";
    this.button.className = "play";
    this.button.textContent = "Play";
    this.button.addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.max = "1000";
    this.slider.step = "1";
    this.slider.setAttribute("aria-label", "Time");
    this.slider.addEventListener("input", () => {
      this.pause();
      this.instant.t = this.begin + (Number(this.slider.value) / 1000) * (this.end - this.begin);
    });
    const label = document.createElement("label");
    label.textContent = "Speed";
    const speed = document.createElement("select");
    for (const value of [0.25, 0.5, 1, 2, 4]) speed.append(new Option(`${value}×`, String(value), value === 1, value === 1));
    speed.addEventListener("change", () => (this.speed = Number(speed.value)));
    label.append(speed);
    bar.append(this.button, this.slider, this.output, label);
    return bar;
  }

  // The motion in its own time where that is pleasant to watch.
  private get duration(): number {
    return Math.max(shortest, Math.min(longest, Math.abs(this.end - this.begin)));
  }

  private play(): void {
    if (this.playing) return;
    if (Math.abs(this.instant.t - this.end) < 1e-9 * Math.abs(this.end - this.begin)) this.instant.t = this.begin;
    this.playing = true;
    this.button.textContent = "Pause";
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private pause(): void {
    this.playing = false;
    this.button.textContent = "Play";
  }

  private tick(now: number): void {
    if (!this.playing) return;
    // the first frame may bear a time before the click
    const passed = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const t = this.instant.t + ((passed * this.speed) / this.duration) * (this.end - this.begin);
    const over = this.end >= this.begin ? t >= this.end : t <= this.end;
    this.instant.t = over ? this.end : t;
    if (over) this.pause();
    else requestAnimationFrame((next) => this.tick(next));
  }

  private reached(t: number): void {
    const share = this.end === this.begin ? 0 : (t - this.begin) / (this.end - this.begin);
    this.slider.value = String(Math.round(1000 * share));
    this.slider.setAttribute("aria-valuetext", `t = ${reading(t)}`);
    this.output.textContent = `t = ${t.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(this.end - this.begin) || 1))))}`;
  }
}
