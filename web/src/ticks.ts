// Round numbers for axes, and numbers in a few characters.

const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function powerOfTen(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((d) => raised[Number(d)]).join("");
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

function short(value: number, step: number): string {
  if (Math.abs(value) < 1e-9 * step) return "0";
  const size = Math.max(Math.abs(value), step);
  let text: string;
  if (size >= 1e5 || size < 1e-3) {
    const digits = Math.max(0, Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step) + 1e-9));
    const [mantissa, exponent] = value.toExponential(Math.min(digits, 15)).split("e");
    text = `${mantissa}·${powerOfTen(Number(exponent))}`;
  } else {
    text = value.toFixed(Math.min(15, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
  }
  return text.replace("-", "−");
}

export interface Tick {
  at: number;
  label: string;
}

export function ticks(from: number, to: number, wanted: number): Tick[] {
  const rough = (to - from) / wanted;
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? 10 * power;
  if (step <= 1e-15 * Math.max(Math.abs(from), Math.abs(to))) return [];
  const list: Tick[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) list.push({ at: k * step, label: short(k * step, step) });
  return list;
}

export function decades(from: number, to: number): Tick[] {
  const first = Math.ceil(from);
  const last = Math.floor(to);
  const step = Math.max(1, Math.floor((last - first + 4) / 5));
  const list: Tick[] = [];
  for (let p = first; p <= last; p += step) list.push({ at: p, label: powerOfTen(p) });
  return list;
}

// For a reading beside the cursor.
export function reading(value: number): string {
  if (!Number.isFinite(value)) return "none";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(3) : String(Number(value.toPrecision(6)));
  return text.replace(/-/g, "−");
}
