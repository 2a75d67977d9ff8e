// How long a reader waits for a page of 10,000 samples from disk: until something is seen, and until the scripts have answered.
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, newWindow, open } from "./browser.mjs";

const most = 1000; // milliseconds until the first paint
const folder = process.env.LONG_PAGES;
const files = readdirSync(folder).filter((name) => name.endsWith(".html"));
expect(files.length > 0, `no pages in ${folder}`);
const view = await newWindow();
for (const name of files) {
  const model = path.basename(name, ".html");
  const file = path.join(folder, name);
  const paints = [];
  const loads = [];
  // The machine may be busy with something else: the best of a few is the page's own.
  for (let i = 0; i < 5; i++) {
    const page = await open(view, file);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    const [paint, load] = await page.evaluate(() => [
      performance.getEntriesByName("first-contentful-paint")[0].startTime,
      performance.getEntriesByType("navigation")[0].loadEventEnd,
    ]);
    paints.push(paint);
    loads.push(load);
    await page.close();
  }
  const best = Math.min(...paints);
  const range = (list) => `${Math.min(...list).toFixed(0)} to ${Math.max(...list).toFixed(0)} ms`;
  console.log(`${model}: ${(statSync(file).size / 1e6).toFixed(1)} MB, first paint ${range(paints)}, scripts done ${range(loads)}`);
  expect(best < most, `${model}: the first paint takes ${best.toFixed(0)} ms at best, more than ${most}`);
}
await view.close();
