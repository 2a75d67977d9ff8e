// The motion on a canvas: points, links, blades, wheels and paths, seen from where the model says; turned by dragging where it is
// in space.

import { doubles, singles, type SceneData, type Vector } from "./data";
import { indexAt, type Instant } from "./time";

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a: Vector, s: number, b: Vector): Vector => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const length = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
const unit = (a: Vector): Vector => {
  const l = length(a);
  return [a[0] / l, a[1] / l, a[2] / l];
};

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly t: Float64Array;
  private readonly vectors: Float32Array[];
  private readonly numbers: Float32Array[];
  private right: Vector;
  private up: Vector;
  private from: Vector;
  private centre: Vector = [0, 0, 0];
  private radius = 1;
  private flat = { least: [Infinity, Infinity], most: [-Infinity, -Infinity] };
  private scale = 1;
  private colours: Record<string, string> = {};
  private frame = 0;
  private share = 0; // of the way to the next frame

  constructor(
    private readonly scene: SceneData,
    private readonly instant: Instant,
  ) {
    this.t = doubles(scene.t);
    this.vectors = scene.vectors.map(singles);
    this.numbers = scene.numbers.map(singles);
    ({ right: this.right, up: this.up, from: this.from } = scene.eye);
    this.measure();
    this.canvas.setAttribute("role", "img");
    this.canvas.className = scene.eye.plane ? "plane" : "";
    if (!scene.eye.plane) this.listen();
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(this.canvas);
    for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", () => this.recolour());
    instant.follow(() => this.draw());
    this.recolour();
  }

  private vector(which: number, frame = this.frame, share = this.share): Vector {
    const list = this.vectors[which];
    const i = 3 * frame;
    if (share === 0 || i + 5 >= list.length) return [list[i], list[i + 1], list[i + 2]];
    return [list[i] + share * (list[i + 3] - list[i]), list[i + 1] + share * (list[i + 4] - list[i + 1]), list[i + 2] + share * (list[i + 5] - list[i + 2])];
  }

  private measure(): void {
    const least: Vector = [Infinity, Infinity, Infinity];
    const most: Vector = [-Infinity, -Infinity, -Infinity];
    const take = (which: number, around: number[] | Float32Array | null): void => {
      for (let f = 0; f < this.t.length; f++) {
        const p = this.vector(which, f, 0);
        const r = around ? Math.abs(around[f]) : 0;
        for (let c = 0; c < 3; c++) {
          least[c] = Math.min(least[c], p[c] - r);
          most[c] = Math.max(most[c], p[c] + r);
        }
        const s = [dot(p, this.right), dot(p, this.up)];
        for (let c = 0; c < 2; c++) {
          this.flat.least[c] = Math.min(this.flat.least[c], s[c] - r);
          this.flat.most[c] = Math.max(this.flat.most[c], s[c] + r);
        }
      }
    };
    const { points, traces, links, blades, wheels, balls } = this.scene;
    for (const mark of [...points, ...traces]) take(mark.at, null);
    for (const link of links) for (const place of link) take(place, null);
    for (const blade of blades) take(blade.at, null);
    for (const wheel of wheels) take(wheel.at, this.numbers[wheel.radius]);
    for (const ball of balls) take(ball.at, this.numbers[ball.radius]);
    for (let c = 0; c < 3; c++) this.centre[c] = (least[c] + most[c]) / 2;
    this.radius = Math.max(1e-12, length([most[0] - least[0], most[1] - least[1], most[2] - least[2]]) / 2);
  }

  private recolour(): void {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["card", "ink", "soft", "line", "faint", "accent", "accent-soft", "c0", "c1", "c2", "c3", "c4", "c5", "c6"]) this.colours[name] = style.getPropertyValue(`--${name}`).trim();
    this.colours.font = style.getPropertyValue("--body");
    this.draw();
  }

  private resize(): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const height = Math.round(Math.max(240, Math.min(460, width * 0.5)));
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.draw();
  }

  private listen(): void {
    let last: PointerEvent | null = null;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The motion in space. Drag, or use the arrow keys, to turn it.");
    this.canvas.addEventListener("pointerdown", (event) => {
      last = event;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.turn((event.clientX - last.clientX) * 0.008, (event.clientY - last.clientY) * 0.008);
      last = event;
    });
    for (const name of ["pointerup", "pointercancel"] as const) this.canvas.addEventListener(name, () => (last = null));
    this.canvas.addEventListener("keydown", (event) => {
      const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
      const turn = turns[event.key];
      if (!turn) return;
      this.turn(...turn);
      event.preventDefault();
    });
  }

  // About the vertical, and about the horizontal of the screen.
  private turn(around: number, over: number): void {
    const z: Vector = [0, 0, 1];
    const rotate = (v: Vector, axis: Vector, angle: number): Vector => {
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      return plus(plus([v[0] * c, v[1] * c, v[2] * c], s, cross(axis, v)), dot(axis, v) * (1 - c), axis);
    };
    this.from = unit(rotate(this.from, z, -around));
    const height = Math.asin(Math.max(-1, Math.min(1, this.from[2])));
    const next = Math.max(-1.5, Math.min(1.5, height + over));
    this.right = unit(cross(z, this.from));
    this.from = unit(rotate(this.from, this.right, height - next));
    this.up = cross(this.from, this.right);
    this.draw();
  }

  private place(p: Vector): [number, number] {
    if (this.scene.eye.plane) {
      const { least, most } = this.flat;
      return [this.canvas.width / 2 + this.scale * (dot(p, this.right) - (least[0] + most[0]) / 2), this.canvas.height / 2 - this.scale * (dot(p, this.up) - (least[1] + most[1]) / 2)];
    }
    const d = plus(p, -1, this.centre);
    // A little perspective tells near from far.
    const near = 1 / (1 - (0.22 * dot(d, this.from)) / this.radius);
    return [this.canvas.width / 2 + this.scale * near * dot(d, this.right), this.canvas.height / 2 - this.scale * near * dot(d, this.up)];
  }

  private fitScale(ratio: number): void {
    const edge = 40 * ratio;
    const width = this.canvas.width - 2 * edge;
    const height = this.canvas.height - 2 * edge;
    const { least, most } = this.flat;
    const spanX = most[0] - least[0];
    const spanY = most[1] - least[1];
    const largest = Math.max(spanX, spanY, 1e-12);
    const plane = Math.min(width / Math.max(spanX, 1e-9 * largest), height / Math.max(spanY, 1e-9 * largest));
    this.scale = this.scene.eye.plane ? plane : Math.min(plane, (1.15 * Math.min(width, height)) / (2 * this.radius) + 0.35 * plane);
  }

  // A grid on the ground, for the eye to hold on to.
  private drawGround(g: CanvasRenderingContext2D, ratio: number): void {
    const plane = this.scene.eye.plane;
    const span = plane ? Math.max(this.canvas.width, this.canvas.height) / this.scale : 2.4 * this.radius;
    let step = 10 ** Math.floor(Math.log10(span / 6));
    for (const m of [2, 2.5, 2]) if (span / step > 14) step *= m;
    const middle: Vector = plane
      ? plus(plus([0, 0, 0], (this.flat.least[0] + this.flat.most[0]) / 2, this.right), (this.flat.least[1] + this.flat.most[1]) / 2, this.up)
      : this.centre;
    const a: Vector = plane ? this.right : [1, 0, 0];
    const b: Vector = plane ? this.up : [0, 1, 0];
    const base: Vector = plane ? [0, 0, 0] : [0, 0, Math.min(0, ...this.scene.points.map((p) => this.vector(p.at, 0, 0)[2]))];
    const ca = Math.round(dot(middle, a) / step);
    const cb = Math.round(dot(middle, b) / step);
    const count = Math.ceil(span / step / 2) + 1;
    g.lineWidth = ratio;
    g.strokeStyle = this.colours.line;
    g.globalAlpha = plane ? 0.55 : 0.8;
    g.beginPath();
    for (let k = -count; k <= count; k++) {
      for (const [u, v, cu, cv] of [
        [a, b, ca, cb],
        [b, a, cb, ca],
      ] as [Vector, Vector, number, number][]) {
        const fixed = plus(base, (cu + k) * step, u);
        const p = this.place(plus(fixed, (cv - count) * step, v));
        const q = this.place(plus(fixed, (cv + count) * step, v));
        g.moveTo(...p);
        g.lineTo(...q);
      }
    }
    g.stroke();
    g.globalAlpha = 1;
  }

  private drawTraces(g: CanvasRenderingContext2D, ratio: number): void {
    this.scene.traces.forEach((trace, k) => {
      g.strokeStyle = this.colours[`c${k % 6}`];
      g.lineJoin = "round";
      // The path to come is a hint, the path behind is drawn.
      for (const ahead of [true, false]) {
        g.globalAlpha = ahead ? 0.16 : 0.9;
        g.lineWidth = (ahead ? 1.4 : 2.2) * ratio;
        g.beginPath();
        const first = ahead ? this.frame : 0;
        const last = ahead ? this.t.length - 1 : this.frame;
        const at = (f: number): [number, number] => this.place(this.vector(trace.at, Math.max(0, Math.min(this.t.length - 1, f)), 0));
        let before = at(first);
        g.moveTo(...before);
        for (let f = first + 1; f <= last; f++) {
          const p = at(f);
          // Where a step is long enough to be seen the path is bent: a cubic with the slopes of its neighbours.
          if (Math.hypot(p[0] - before[0], p[1] - before[1]) > 5 * ratio) {
            const [a, b] = [at(f - 2), at(f + 1)];
            g.bezierCurveTo(before[0] + (p[0] - a[0]) / 6, before[1] + (p[1] - a[1]) / 6, p[0] - (b[0] - before[0]) / 6, p[1] - (b[1] - before[1]) / 6, ...p);
          } else g.lineTo(...p);
          before = p;
        }
        if (!ahead) g.lineTo(...this.place(this.vector(trace.at)));
        g.stroke();
      }
      g.globalAlpha = 1;
    });
  }

  private drawWheel(g: CanvasRenderingContext2D, ratio: number, wheel: SceneData["wheels"][number]): void {
    const centre = this.vector(wheel.at);
    const axle = unit(this.vector(wheel.axle));
    const radius = Math.abs(this.numbers[wheel.radius][this.frame]);
    const u = unit(Math.abs(axle[2]) < 0.9 ? [-axle[1], axle[0], 0] : [axle[2], 0, -axle[0]]);
    const w = cross(axle, u);
    g.beginPath();
    for (let k = 0; k < 64; k++) {
      const angle = (2 * Math.PI * k) / 64;
      const p = this.place(plus(plus(centre, radius * Math.cos(angle), u), radius * Math.sin(angle), w));
      if (k === 0) g.moveTo(...p);
      else g.lineTo(...p);
    }
    g.closePath();
    g.globalAlpha = 0.5;
    g.fillStyle = this.colours["accent-soft"];
    g.fill();
    g.globalAlpha = 1;
    g.lineWidth = 2.2 * ratio;
    g.strokeStyle = this.colours.ink;
    g.stroke();
    if (wheel.spoke !== undefined) {
      const spoke = this.vector(wheel.spoke);
      if (length(spoke) > 0) this.line(g, [centre, plus(centre, radius / length(spoke), spoke)], this.colours.c1, 2.6 * ratio);
    }
  }

  private line(g: CanvasRenderingContext2D, places: Vector[], colour: string, width: number): void {
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.lineCap = "round";
    g.lineJoin = "round";
    g.beginPath();
    places.forEach((p, i) => (i === 0 ? g.moveTo(...this.place(p)) : g.lineTo(...this.place(p))));
    g.stroke();
  }

  private shortestLink(): number {
    let shortest = Infinity;
    for (const link of this.scene.links)
      for (let i = 1; i < link.length; i++) shortest = Math.min(shortest, length(plus(this.vector(link[i]), -1, this.vector(link[i - 1]))));
    return shortest;
  }

  draw(): void {
    const g = this.canvas.getContext("2d");
    if (!g || this.canvas.width === 0 || this.t.length === 0) return;
    const ratio = this.canvas.width / Math.max(1, this.canvas.clientWidth);
    this.frame = indexAt(this.t, this.instant.t);
    const next = Math.min(this.frame + 1, this.t.length - 1);
    this.share = next === this.frame ? 0 : Math.max(0, Math.min(1, (this.instant.t - this.t[this.frame]) / (this.t[next] - this.t[this.frame])));
    g.fillStyle = this.colours.card;
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.fitScale(ratio);
    this.drawGround(g, ratio);
    this.drawTraces(g, ratio);
    const { points, links, blades, wheels, balls } = this.scene;
    for (const wheel of wheels) this.drawWheel(g, ratio, wheel);
    for (const ball of balls) {
      const [x, y] = this.place(this.vector(ball.at));
      const r = Math.max(2 * ratio, this.scale * Math.abs(this.numbers[ball.radius][this.frame]));
      const shade = g.createRadialGradient(x - r / 3, y - r / 3, r / 8, x, y, r);
      shade.addColorStop(0, this.colours.card);
      shade.addColorStop(1, this.colours["accent-soft"]);
      g.fillStyle = shade;
      g.strokeStyle = this.colours.ink;
      g.lineWidth = 1.8 * ratio;
      g.beginPath();
      g.arc(x, y, r, 0, 2 * Math.PI);
      g.fill();
      g.stroke();
    }
    for (const link of links) this.line(g, link.map((place) => this.vector(place)), this.colours.ink, 3 * ratio);
    const reach = 0.035 * (this.scene.eye.plane ? Math.max(this.flat.most[0] - this.flat.least[0], this.flat.most[1] - this.flat.least[1]) : 2 * this.radius);
    // Shorter than what carries it.
    const half = Math.max(Math.min(reach, 0.3 * this.shortestLink()), (6 * ratio) / this.scale);
    for (const blade of blades) {
      const along = this.vector(blade.along);
      const size = length(along);
      const at = this.vector(blade.at);
      if (size > 0) this.line(g, [plus(at, -half / size, along), plus(at, half / size, along)], this.colours.c1, 5 * ratio);
    }
    g.font = `italic ${16 * ratio}px ${this.colours.font}`;
    for (const point of points) {
      const [x, y] = this.place(this.vector(point.at));
      g.fillStyle = this.colours.ink;
      g.strokeStyle = this.colours.card;
      g.lineWidth = 1.6 * ratio;
      g.beginPath();
      g.arc(x, y, (points.length > 6 ? 3.6 : 5.5) * ratio, 0, 2 * Math.PI);
      g.fill();
      g.stroke();
      if (point.label && points.length <= 6) {
        g.lineWidth = 3.5 * ratio;
        g.strokeText(point.label, x + 10 * ratio, y - 9 * ratio);
        g.fillText(point.label, x + 10 * ratio, y - 9 * ratio);
      }
    }
  }
}
