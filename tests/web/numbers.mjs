// The numbers of a page are those of `run --json`, to the last bit: the table of the run, the last state, the samples of the charts.
import path from "node:path";
import { cetaev, expect, newWindow, open, site } from "./browser.mjs";

const view = await newWindow();
for (const model of ["skate", "zekovic-space", "prescribed-speed", "snake-10", "ball-on-turntable"]) {
  const run = JSON.parse(cetaev("run", model, "--json", "--trajectory"));
  const page = await open(view, path.join(site, `${model}.html`));
  const shown = await page.evaluate(() => {
    const value = (cell) => cell.querySelector("data")?.value ?? cell.textContent;
    const numbers = {};
    for (const row of document.querySelectorAll("#run-numbers tr")) numbers[row.dataset.key] = value(row.cells[1]);
    const state = {};
    for (const row of document.querySelectorAll("#last-state tbody tr")) state[row.dataset.coordinate] = [value(row.cells[1]), value(row.cells[2])];
    const data = JSON.parse(document.getElementById("data").textContent);
    const column = (name) => {
      const raw = atob(data.columns[name].d);
      return [...new Float64Array(Uint8Array.from(raw, (c) => c.charCodeAt(0)).buffer)];
    };
    return { numbers, state, t: column("t"), q0: column("q0"), v0: column("v0") };
  });
  for (const key of ["status", "form"]) expect(shown.numbers[key] === run[key], `${model}: ${key} is ${shown.numbers[key]}, not ${run[key]}`);
  for (const key of ["t", "samples", "steps", "rejected", "rhs_evaluations", "max_residual", "E_start", "E_end", "energy_drift", "projections"])
    expect(Number(shown.numbers[key]) === run[key], `${model}: ${key} is ${shown.numbers[key]}, not ${run[key]}`);
  for (const name of Object.keys(run.q)) {
    expect(Number(shown.state[name]?.[0]) === run.q[name], `${model}: ${name} at the end is ${shown.state[name]?.[0]}, not ${run.q[name]}`);
    expect(Number(shown.state[name]?.[1]) === run.v[name], `${model}: ${name}' at the end is ${shown.state[name]?.[1]}, not ${run.v[name]}`);
  }
  const first = Object.keys(run.q)[0];
  for (const [name, mine, theirs] of [["t", shown.t, run.trajectory.t], [first, shown.q0, run.trajectory.q[first]], [`${first}'`, shown.v0, run.trajectory.v[first]]])
    expect(mine.length === theirs.length && mine.every((x, i) => x === theirs[i]), `${model}: the samples of ${name} differ`);
  await page.close();
}
await view.close();
