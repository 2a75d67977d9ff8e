// A slider through the computed values of a speed: the eigenvalues there, in words and as dots in both charts.

import type { Chart } from "./chart";
import type { Page } from "./data";
import { reading } from "./ticks";

export function addLocus(page: Page, charts: Map<string, Chart>): void {
  const locus = page.data.locus;
  const host = document.getElementById("locus");
  if (!locus || !host) return;
  const values = page.column(locus.values);
  const re = locus.re.map((name) => page.column(name));
  const im = locus.im.map((name) => page.column(name));
  const label = document.createElement("label");
  label.textContent = `${locus.name} `;
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(values.length - 1);
  slider.value = String(locus.at);
  const output = document.createElement("output");
  label.append(slider);
  const list = document.createElement("p");
  list.className = "note";
  host.className = "controls";
  host.append(label, output);
  host.after(list);
  const show = (): void => {
    const i = Number(slider.value);
    output.textContent = `${locus.name} = ${reading(values[i])}`;
    slider.setAttribute("aria-valuetext", output.textContent);
    const words: string[] = [];
    let growing = false;
    for (let k = 0; k < re.length; k++) {
      if (im[k][i] < 0) continue;
      growing ||= re[k][i] > 1e-9;
      words.push(im[k][i] > 0 ? `${reading(re[k][i])} ± ${reading(im[k][i])} i` : reading(re[k][i]));
    }
    list.textContent = `Eigenvalues: ${words.join(", ")}${growing ? ": unstable" : ""}`;
    for (const id of ["chart-locus", "chart-plane"]) charts.get(id)?.mark(i);
  };
  slider.addEventListener("input", show);
  show();
}
