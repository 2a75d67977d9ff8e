// Every page of the gallery, and its index: it loads in silence and from disk alone, formulas are formulas, every plot has data in
// it, nothing sticks out at 1280 and at 390 pixels, and axe-core has nothing to say, in light and in dark.
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { axeSource, each, everyPage, expect, newWindow, open, pause, pixelsNear, site } from "./browser.mjs";

// All of them, or those that PAGES names, by commas.
const wanted = process.env.PAGES?.split(",");
const pages = everyPage().filter((name) => wanted === undefined || wanted.includes(path.basename(name, ".html")));

const axe = readFileSync(axeSource, "utf8");

// Formulas have the colours of the text around them, and so many elements that axe would take minutes: a word stands for each.
async function accessible(page, name) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details[open]")) details.open = false;
    for (const formula of document.querySelectorAll("math")) formula.replaceWith("formula");
  });
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const result = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], resultTypes: ["violations"] });
    return result.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 2).map((n) => n.html.slice(0, 160)).join(" | ")}`);
  });
  for (const violation of violations) expect(false, `${name}: axe: ${violation}`);
}

async function noOverflow(page, name, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide <= width, `${name}: ${wide} pixels wide in a window of ${width}`);
}

async function formulas(page, name) {
  const found = await page.evaluate(() => {
    const shown = [...document.querySelectorAll("math")].filter((m) => m.closest("details:not([open])") === null);
    const prose = document.body.cloneNode(true);
    for (const element of prose.querySelectorAll("pre, script, style, code")) element.remove();
    return {
      count: shown.length,
      flat: shown.filter((m) => m.getBoundingClientRect().width < 2 || m.getBoundingClientRect().height < 2).length,
      empty: [...document.querySelectorAll(".eq")].filter((e) => e.querySelectorAll("math").length < 2).length,
      raw: /\\(frac|dot|ddot|begin|sin|cos|lambda|varphi)\b|\$[^$]+\$/.exec(prose.textContent)?.[0] ?? null,
      equations: document.querySelectorAll("#equations .eq").length,
    };
  });
  expect(found.count > 0 && found.equations > 0, `${name}: no formulas`);
  expect(found.flat === 0, `${name}: ${found.flat} formulas have no size`);
  expect(found.empty === 0, `${name}: ${found.empty} equations without formulas`);
  expect(found.raw === null, `${name}: raw TeX: ${found.raw}`);
}

// One picture of the whole page; in the place of each plot there are pixels in the colour of its first curve.
async function plots(page, name) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = d.querySelector(".plot") !== null)));
  await pause(100);
  const list = await page.$$eval(".plot", (all) =>
    all.map((plot) => {
      const paths = [...plot.querySelectorAll(".curve")];
      const box = plot.getBoundingClientRect();
      return {
        id: plot.id,
        drawn: paths.filter((p) => (p.getAttribute("d") ?? "").length > 10).length,
        opaque: !paths[0]?.classList.contains("thick"),
        colour: (paths.length > 0 ? getComputedStyle(paths[0]).stroke : "").match(/\d+/g)?.slice(0, 3).map(Number),
        box: [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round),
      };
    }),
  );
  expect(list.length > 0 || (await page.$(".diagnosis")) !== null, `${name}: no plots`);
  for (const plot of list) expect(plot.drawn > 0, `${name}: ${plot.id} has no curve`);
  const seen = list.filter((plot) => plot.drawn > 0 && plot.opaque);
  const counts = await pixelsNear(page, await page.screenshot({ encoding: "base64", fullPage: true }), seen);
  seen.forEach((plot, i) => expect(counts[i] >= 15, `${name}: ${plot.id}: only ${counts[i]} pixels in the colour of its first curve`));
}

await each(pages, 2, async (view, name) => {
  const file = path.join(site, name);
  expect(statSync(file).size < 3e6, `${name}: ${statSync(file).size} bytes`);
  expect(!/(src|href)="(https?:)?\/\//.test(readFileSync(file, "utf8")), `${name}: a link to another host`);
  const page = await open(view, file, { width: 1280 });
  await page.evaluate(() => document.querySelectorAll("details.form").forEach((d) => (d.open = true)));
  await pause(100);
  await formulas(page, name);
  await plots(page, name);
  await noOverflow(page, name, 1280);
  await page.setViewport({ width: 390, height: 800 });
  await noOverflow(page, name, 390);
  await page.setViewport({ width: 1280, height: 900 });
  await accessible(page, name);
  await page.close();
});

const view = await newWindow();
for (const scheme of ["light", "dark"]) {
  const index = await open(view, path.join(site, "index.html"), { scheme });
  const cards = await index.$$eval(".card a", (list) => list.map((a) => a.getAttribute("href")));
  expect(JSON.stringify([...cards].sort()) === JSON.stringify(everyPage()), "index.html: its cards are not the pages");
  expect((await index.$$eval(".card svg", (list) => list.length)) >= 0.9 * cards.length, "index.html: thumbnails are missing");
  await accessible(index, `index.html, ${scheme}`);
  await noOverflow(index, "index.html", 1280);
  await index.close();
}
for (const name of pages.filter((_, i) => i % 20 === 0)) {
  const page = await open(view, path.join(site, name), { scheme: "dark" });
  await accessible(page, `${name}, dark`);
  await page.close();
}
await view.close();
