// A chart that the program drew, brought to life: drawn again for the width it has, read off with the cursor or the arrow keys,
// enlarged by dragging, its curves switched by the legend. It follows the instant of the animation.

import type { ChartData, Column, Page } from "./data";
import { decades, reading, ticks, type Tick } from "./ticks";
import { indexAt, type Instant } from "./time";

const svgSpace = "http://www.w3.org/2000/svg";

function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const node = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

interface Range {
  from: number;
  to: number;
}

const smallestShown = 1e-17;

// An axis has room for so many letters.
const shortened = (text: string, letters: number): string => ([...text].length > letters ? `${[...text].slice(0, letters - 1).join("")}…` : text);

export class Chart {
  private readonly host: HTMLElement;
  private readonly svg: SVGSVGElement;
  private readonly overlay: SVGElement;
  private readonly box: HTMLDivElement;
  private readonly hidden = new Set<number>();
  private width = 660;
  private height = 270;
  private left = 64;
  private readonly right = 14;
  private top = 12;
  private readonly bottom = 42;
  private x: Range = { from: 0, to: 1 };
  private y: Range = { from: 0, to: 1 };
  private zoomed: { x: Range; y: Range } | null = null;
  private cursor: number | null = null; // index of the sample that is read off
  private marked: number | null = null; // index of the sample that a slider shows
  private readonly overTime: boolean;

  constructor(
    private readonly page: Page,
    private data: ChartData,
    private readonly instant: Instant,
  ) {
    const host = document.getElementById(data.id);
    const svg = host?.querySelector("svg");
    if (!host || !svg) throw new Error(`no chart ${data.id}`);
    this.host = host;
    this.svg = svg;
    this.overTime = data.x === "t";
    this.box = document.createElement("div");
    this.box.className = "reading";
    this.box.hidden = true;
    host.append(this.box);
    this.overlay = element("g", {});
    this.makeLegend();
    this.listen();
    new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(host);
    this.fit();
    if (!data.small) instant.follow(() => this.drawOverlay());
  }

  show(data: ChartData): void {
    this.data = data;
    this.zoomed = null;
    this.cursor = null;
    this.svg.setAttribute("aria-label", data.title);
    this.fit();
  }

  // Dots on all curves at one sample.
  mark(index: number): void {
    this.marked = index;
    this.drawOverlay();
  }

  private column(name: string): Column {
    return this.page.column(name);
  }

  private shown(y: number): number {
    return this.data.log ? Math.log10(Math.max(Math.abs(y), smallestShown)) : y;
  }

  private fit(): void {
    const width = Math.round(this.host.clientWidth);
    if (width < 40) return; // folded away
    this.width = width;
    this.height = this.data.small ? Math.round(width * 0.7) : this.data.same ? Math.min(420, Math.round(width * 0.75)) : Math.max(210, Math.min(300, Math.round(width * 0.4)));
    this.left = width < 480 ? 52 : 64;
    this.top = this.data.y ? 28 : 12;
    this.scale();
    this.draw();
  }

  private scale(): void {
    if (this.zoomed) {
      ({ x: this.x, y: this.y } = this.zoomed);
    } else {
      const x = { from: Infinity, to: -Infinity };
      const y = { from: Infinity, to: -Infinity };
      this.data.curves.forEach((curve, k) => {
        if (this.hidden.has(k)) return;
        const xs = this.column(curve.x);
        const ys = this.column(curve.y);
        for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
          if (!Number.isFinite(xs[i]) || !Number.isFinite(ys[i])) continue;
          const v = this.shown(ys[i]);
          if (xs[i] < x.from) x.from = xs[i];
          if (xs[i] > x.to) x.to = xs[i];
          if (this.data.log && ys[i] === 0) continue;
          if (v < y.from) y.from = v;
          if (v > y.to) y.to = v;
        }
      });
      const padded = (r: Range): Range => {
        if (!(r.from <= r.to)) return { from: 0, to: 1 };
        const size = Math.max(Math.abs(r.from), Math.abs(r.to));
        const span = r.to - r.from;
        const room = span <= 1e-12 * size || span < 1e-300 ? (size > 0 ? 0.1 * size : 1) : 0.05 * span;
        return { from: r.from - room, to: r.to + room };
      };
      this.x = this.overTime && x.to > x.from ? x : padded(x);
      this.y = padded(y);
      if (this.data.log && this.y.to - this.y.from < 2) this.y = { from: Math.floor(this.y.from - 0.5), to: Math.ceil(this.y.to + 0.5) };
    }
    if (this.data.same) {
      const sx = (this.x.to - this.x.from) / (this.width - this.left - this.right);
      const sy = (this.y.to - this.y.from) / (this.height - this.top - this.bottom);
      const narrow = sx < sy ? this.x : this.y;
      const more = ((Math.max(sx, sy) / Math.min(sx, sy) - 1) / 2) * (narrow.to - narrow.from);
      const wide = { from: narrow.from - more, to: narrow.to + more };
      if (sx < sy) this.x = wide;
      else this.y = wide;
    }
  }

  private px(v: number): number {
    return this.left + ((v - this.x.from) / (this.x.to - this.x.from)) * (this.width - this.left - this.right);
  }
  private py(v: number): number {
    return this.height - this.bottom - ((v - this.y.from) / (this.y.to - this.y.from)) * (this.height - this.top - this.bottom);
  }
  private atX(p: number): number {
    return this.x.from + ((p - this.left) / (this.width - this.left - this.right)) * (this.x.to - this.x.from);
  }
  private atY(p: number): number {
    return this.y.from + ((this.height - this.bottom - p) / (this.height - this.top - this.bottom)) * (this.y.to - this.y.from);
  }

  // One that stays where it is has no length, and is drawn as a dot.
  private path(k: number): { d: string; still: boolean } {
    const curve = this.data.curves[k];
    const xs = this.column(curve.x);
    const ys = this.column(curve.y);
    const parts: string[] = [];
    let down = false;
    let lastX = 0;
    let lastY = 0;
    let first: [number, number] | null = null;
    let still = true;
    const count = Math.min(xs.length, ys.length);
    for (let i = 0; i < count; i++) {
      const y = this.shown(ys[i]);
      if (!Number.isFinite(xs[i]) || !Number.isFinite(y)) {
        down = false;
        continue;
      }
      if (this.data.log && ys[i] === 0) continue; // an exact zero has no place here, and breaks nothing
      const px = this.px(xs[i]);
      const py = this.py(y);
      if (down && i + 1 < count && Math.abs(px - lastX) + Math.abs(py - lastY) < 0.5) continue;
      parts.push(`${down ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`);
      first ??= [px, py];
      if (Math.hypot(px - first[0], py - first[1]) > 1) still = false;
      down = true;
      lastX = px;
      lastY = py;
    }
    return { d: first && still ? `M${first[0].toFixed(1)} ${first[1].toFixed(1)}h0.01` : parts.join(""), still };
  }

  private draw(): void {
    const { svg, width, height, left, right, top, bottom } = this;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const across = ticks(this.x.from, this.x.to, Math.max(3, Math.round((width - left) / 95)));
    const upwards: Tick[] = this.data.log ? decades(this.y.from, this.y.to) : ticks(this.y.from, this.y.to, this.data.small ? 4 : 5);
    const grid = across.map((t) => `M${this.px(t.at).toFixed(1)} ${top}V${height - bottom}`).join("") + upwards.map((t) => `M${left} ${this.py(t.at).toFixed(1)}H${width - right}`).join("");
    svg.append(element("path", { class: "grid", d: grid }));
    const labels = element("g", { class: "ticks" });
    for (const t of across) labels.append(element("text", { x: this.px(t.at).toFixed(1), y: height - bottom + 16, "text-anchor": "middle" }, t.label));
    for (const t of upwards) labels.append(element("text", { x: left - 7, y: (this.py(t.at) + 4).toFixed(1), "text-anchor": "end" }, t.label));
    svg.append(labels);
    const longest = Math.floor((width - left - right) / 8);
    svg.append(element("text", { class: "axis", x: width - right, y: height - 6, "text-anchor": "end" }, shortened(this.data.x, longest)));
    if (this.data.y) svg.append(element("text", { class: "axis", x: left, y: 16 }, shortened(this.data.y, longest)));
    const clip = `${this.data.id}-clip`;
    const clipPath = element("clipPath", { id: clip });
    clipPath.append(element("rect", { x: left - 1, y: top - 3, width: Math.max(0, width - left - right + 2), height: Math.max(0, height - top - bottom + 6) }));
    const curves = element("g", { "clip-path": `url(#${clip})` });
    this.data.curves.forEach((curve, k) => {
      const { d, still } = this.path(k);
      const kind = `curve c${curve.colour}${curve.dashed ? " dashed" : ""}${curve.thick ? " thick" : ""}${still ? " still" : ""}${this.hidden.has(k) ? " off" : ""}`;
      curves.append(element("path", { class: kind, d }));
    });
    svg.append(clipPath, curves, this.overlay);
    this.drawOverlay();
  }

  // The cursor with its dots, and where the animation is.
  private drawOverlay(): void {
    this.overlay.replaceChildren();
    const first = this.data.curves[0];
    if (!first) return;
    if (this.overTime && this.instant.t >= this.x.from && this.instant.t <= this.x.to && !this.data.small) {
      const x = this.px(this.instant.t).toFixed(1);
      this.overlay.append(element("path", { class: "now", d: `M${x} ${this.top}V${this.height - this.bottom}` }));
    }
    if (this.marked !== null) {
      const i = this.marked;
      this.data.curves.forEach((curve, k) => {
        const x = this.column(curve.x)[i];
        const y = this.column(curve.y)[i];
        if (this.hidden.has(k) || !Number.isFinite(x) || !Number.isFinite(y)) return;
        this.overlay.append(element("circle", { class: `dot c${curve.colour}`, cx: this.px(x).toFixed(1), cy: this.py(this.shown(y)).toFixed(1), r: 4 }));
      });
    }
    if (this.cursor === null) return;
    const i = this.cursor;
    const x = this.column(first.x)[i];
    if (this.overTime) {
      const at = this.px(x).toFixed(1);
      this.overlay.append(element("path", { class: "cross", d: `M${at} ${this.top}V${this.height - this.bottom}` }));
    }
    const lines: string[] = this.overTime ? [`t = ${reading(x)}`] : [];
    this.data.curves.forEach((curve, k) => {
      if (this.hidden.has(k)) return;
      const xs = this.column(curve.x);
      const ys = this.column(curve.y);
      const j = curve.x === first.x ? i : indexAt(xs, x);
      if (j >= ys.length || !Number.isFinite(ys[j])) return;
      const cx = this.px(xs[j]);
      const cy = this.py(this.shown(ys[j]));
      if (cx >= this.left - 1 && cx <= this.width - this.right + 1) this.overlay.append(element("circle", { class: `dot c${curve.colour}`, cx: cx.toFixed(1), cy: cy.toFixed(1), r: 4 }));
      lines.push(this.overTime ? `${curve.label} = ${reading(ys[j])}` : `${this.data.x || "across"} = ${reading(xs[j])}, ${this.data.y || "up"} = ${reading(ys[j])}`);
    });
    this.box.replaceChildren(
      ...lines.map((text) => {
        const line = document.createElement("div");
        line.textContent = text;
        return line;
      }),
    );
  }

  private read(index: number | null, at?: { x: number; y: number }): void {
    this.cursor = index;
    this.box.hidden = index === null;
    this.drawOverlay();
    if (index === null) return;
    const first = this.data.curves[0];
    const place = at ?? { x: this.px(this.column(first.x)[index]), y: this.top };
    const wide = this.box.offsetWidth;
    this.box.style.left = `${Math.max(0, place.x + 14 + wide > this.width ? place.x - 14 - wide : place.x + 14)}px`;
    this.box.style.top = `${Math.max(0, Math.min(place.y + 8, this.height - this.box.offsetHeight))}px`;
  }

  private nearest(px: number, py: number): number {
    const curve = this.data.curves[0];
    const xs = this.column(curve.x);
    if (this.overTime) {
      const t = this.atX(px);
      const i = indexAt(xs, t);
      return i + 1 < xs.length && Math.abs(xs[i + 1] - t) < Math.abs(xs[i] - t) ? i + 1 : i;
    }
    const ys = this.column(curve.y);
    let best = 0;
    let distance = Infinity;
    for (let i = 0; i < xs.length; i++) {
      const d = Math.hypot(this.px(xs[i]) - px, this.py(this.shown(ys[i])) - py);
      if (d < distance) {
        distance = d;
        best = i;
      }
    }
    return best;
  }

  private listen(): void {
    const { svg } = this;
    let start: { x: number; y: number } | null = null;
    const place = (event: PointerEvent): { x: number; y: number } => {
      const box = svg.getBoundingClientRect();
      return { x: ((event.clientX - box.left) / box.width) * this.width, y: ((event.clientY - box.top) / box.height) * this.height };
    };
    svg.addEventListener("pointermove", (event) => {
      const p = place(event);
      if (start && event.pointerType === "mouse") {
        this.read(null);
        const y = this.overTime ? this.top : Math.min(start.y, p.y);
        const height = this.overTime ? this.height - this.top - this.bottom : Math.abs(p.y - start.y);
        this.overlay.append(element("rect", { class: "zoom", x: Math.min(start.x, p.x), y, width: Math.abs(p.x - start.x), height }));
      } else {
        this.read(this.nearest(p.x, p.y), p);
      }
    });
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button === 0) {
        start = place(event);
        svg.setPointerCapture(event.pointerId);
      }
    });
    svg.addEventListener("pointerup", (event) => {
      if (!start) return;
      const from = start;
      start = null;
      const p = place(event);
      if (Math.abs(p.x - from.x) < 8) {
        if (this.overTime && !this.data.small) this.instant.t = this.atX(p.x);
        return;
      }
      const y = this.overTime ? this.y : { from: Math.min(this.atY(p.y), this.atY(from.y)), to: Math.max(this.atY(p.y), this.atY(from.y)) };
      this.zoomed = { x: { from: Math.min(this.atX(p.x), this.atX(from.x)), to: Math.max(this.atX(p.x), this.atX(from.x)) }, y };
      this.scale();
      this.draw();
    });
    svg.addEventListener("pointerleave", () => {
      if (!start) this.read(null);
    });
    svg.addEventListener("dblclick", () => this.reset());
    this.host.tabIndex = 0;
    this.host.setAttribute("role", "group");
    this.host.setAttribute("aria-label", `${this.data.title}. Arrow keys read values off, Escape shows everything.`);
    this.host.addEventListener("keydown", (event) => {
      if (event.target !== this.host || this.data.curves.length === 0) return;
      const count = this.column(this.data.curves[0].x).length;
      const step = event.shiftKey ? Math.max(1, Math.round(count / 20)) : 1;
      if (event.key === "ArrowRight") this.read(Math.min(count - 1, (this.cursor ?? -1) + step));
      else if (event.key === "ArrowLeft") this.read(Math.max(0, (this.cursor ?? 1) - step));
      else if (event.key === "Home") this.read(0);
      else if (event.key === "End") this.read(count - 1);
      else if (event.key === "Escape") this.reset();
      else return;
      event.preventDefault();
    });
    this.host.addEventListener("blur", () => this.read(null));
  }

  private reset(): void {
    this.zoomed = null;
    this.read(null);
    this.scale();
    this.draw();
  }

  private makeLegend(): void {
    this.host.querySelectorAll(".legend li").forEach((item, k) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(...item.childNodes);
      button.addEventListener("click", () => {
        if (this.hidden.has(k)) this.hidden.delete(k);
        else this.hidden.add(k);
        button.setAttribute("aria-pressed", String(!this.hidden.has(k)));
        this.scale();
        this.draw();
      });
      item.append(button);
    });
  }
}
