// The numbers of the page, as the program wrote them: columns packed in base64.

export interface Curve {
  label: string;
  x: string;
  y: string;
  colour: number;
  dashed: boolean;
  thick: boolean;
}

export interface ChartData {
  id: string;
  title: string;
  x: string;
  y: string;
  same: boolean;
  log: boolean;
  small: boolean;
  curves: Curve[];
}

export interface SceneData {
  t: string;
  vectors: string[];
  numbers: string[];
  points: { label: string; at: number }[];
  traces: { label: string; at: number }[];
  links: number[][];
  blades: { at: number; along: number }[];
  wheels: { at: number; axle: number; radius: number; spoke?: number }[];
  balls: { at: number; radius: number }[];
  eye: { right: Vector; up: Vector; from: Vector; plane: boolean };
}

export type Vector = [number, number, number];

interface PageData {
  columns: Record<string, { d?: string; f?: string }>;
  charts: ChartData[];
  phase: { label: string; column: string }[];
  scene?: SceneData;
  locus?: { name: string; values: string; re: string[]; im: string[]; at: number };
}

function bytes(text: string): ArrayBuffer {
  const raw = atob(text);
  const result = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) result[i] = raw.charCodeAt(i);
  return result.buffer;
}

export const doubles = (text: string): Float64Array => new Float64Array(bytes(text));
export const singles = (text: string): Float32Array => new Float32Array(bytes(text));

export type Column = Float64Array | Float32Array;

export class Page {
  readonly data: PageData;
  private readonly unpacked = new Map<string, Column>();

  constructor(text: string) {
    this.data = JSON.parse(text) as PageData;
  }

  // Unpacked when it is first looked at.
  column(name: string): Column {
    let column = this.unpacked.get(name);
    if (column === undefined) {
      const packed = this.data.columns[name];
      column = packed.d !== undefined ? doubles(packed.d) : singles(packed.f ?? "");
      this.unpacked.set(name, column);
    }
    return column;
  }
}
