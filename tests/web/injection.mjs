// A model full of markup is shown as text: nothing of it becomes an element, and no script of it runs.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cetaev, expect, newWindow, open, pause, site } from "./browser.mjs";

const evil = `</script><script>window.broken=1</script><img src=x onerror="window.broken=2">'"]]>--><!--&lt;`;
const toml = (text) => JSON.stringify(text);
const folder = mkdtempSync(path.join(tmpdir(), "cetaev-"));
const file = path.join(folder, "</title><script>broken=3</script>.toml".replaceAll("/", "_"));
writeFileSync(
  file,
  `name = ${toml(evil)}
description = ${toml(evil)}
source = ${toml(evil)}
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2" # ${evil}
constraints = ["x'*sin(x) - y' = 0"]
[integrals]
${toml(evil)} = "x'"
[events]
${toml(evil)} = "y - 1000"
[initial]
"x'" = 1
# ${evil}
`,
);
const out = path.join(folder, "page.html");
cetaev("report", file, "-o", out, "--set", "x=0.5");
const view = await newWindow();
const page = await open(view, out);
await pause(500);
const found = await page.evaluate(() => ({
  broken: window.broken ?? null,
  images: document.querySelectorAll("img").length,
  scripts: document.querySelectorAll("script").length,
  heading: document.querySelector("h1").textContent,
  lead: document.querySelector(".lead").textContent,
  title: document.title,
  model: document.querySelector("#model pre").textContent,
  stage: document.querySelector("#stage canvas") !== null,
}));
expect(found.broken === null, `a script of the model ran: ${found.broken}`);
expect(found.images === 0, "an image of the model is an element");
expect(found.scripts === 2, `${found.scripts} scripts`);
expect(found.heading === evil, `the name is shown as ${found.heading}`);
expect(found.lead === evil, `the description is shown as ${found.lead}`);
expect(found.title === evil.trim(), `the title is ${found.title}`);
expect(found.model.includes(evil), "the model file is not shown as it is");
expect(found.stage, "the page does not work");
await page.close();

// Even where escaping should fail one day: markup that is put into a finished page, or into the index, runs nothing, is not
// applied and asks for nothing, while the page itself works.
const planted = `<script>window.broken=4</script><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="window.broken=5" onerror="window.broken=6">
<style>h1 { display: none }</style><p id="planted" style="position:fixed">planted</p><a id="link" href="javascript:window.broken=7">link</a>
<iframe srcdoc="<script>parent.broken=8</script>"></iframe><form id="form" action="file:///tmp/elsewhere"></form><link rel="stylesheet" href="file:///tmp/elsewhere.css">`;
for (const [name, source] of [["page", out], ["index", path.join(site, "index.html")]]) {
  const text = readFileSync(source, "utf8");
  expect(/^<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /.test(text), `${name}: no policy at its beginning`);
  const target = path.join(folder, `planted-${name}.html`);
  writeFileSync(target, text.replace("<main>", `<main>${planted}`));
  const hit = await view.newPage();
  const asked = [];
  hit.on("requestfinished", (request) => asked.push(request.url()));
  await hit.goto(pathToFileURL(target).href);
  await hit.evaluate(() => document.fonts.ready.then(() => true));
  await hit.evaluate(() => document.querySelector("#link").click());
  await pause(500);
  const after = await hit.evaluate(() => ({
    broken: window.broken ?? null,
    planted: document.querySelector("#planted") !== null,
    position: getComputedStyle(document.querySelector("#planted")).position,
    heading: getComputedStyle(document.querySelector("h1")).display,
    font: document.fonts.check("16px 'STIX Two Text'"),
    stage: document.querySelector("#stage canvas") !== null,
  }));
  expect(after.planted, `${name}: the test plants nothing`);
  expect(after.broken === null, `${name}: planted script ran: ${after.broken}`);
  expect(after.heading !== "none" && after.position === "static", `${name}: planted style is applied`);
  expect(asked.every((url) => url === pathToFileURL(target).href || url.startsWith("data:font/")), `${name}: asked for ${asked.filter((url) => !url.startsWith("data:font/"))}`);
  expect(after.font && (name === "index" || after.stage), `${name}: does not work any more`);
  await hit.close();
}

// Names without a blank in them break where the window ends, and a page without a motion begins with its first section.
const long = "a".repeat(70);
writeFileSync(
  path.join(folder, "long.toml"),
  `name = "${long}"
description = "${long}"
coordinates = ["${long}", "y"]
lagrangian = "(${long}'^2 + y'^2)/2 - b${long}*y"
constraints = ["${long}' - y*y' = 0"]
[parameters]
b${long} = 9.81
[initial]
y = 1
"y'" = 1
[integrals]
c${long} = "y"
[events]
d${long} = {when = "y", action = "stop"}
`,
);
const wide = path.join(folder, "long.html");
cetaev("report", path.join(folder, "long.toml"), "-o", wide);
for (const width of [390, 1280]) {
  const narrow = await open(view, wide, { width });
  await narrow.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  await pause(100);
  const reach = await narrow.evaluate(() => document.documentElement.scrollWidth);
  expect(reach <= width, `long names: ${reach} pixels wide in a window of ${width}`);
  await narrow.close();
}
writeFileSync(path.join(folder, "still.toml"), `coordinates = ["x"]\nlagrangian = "x*x'"\n`);
cetaev("report", path.join(folder, "still.toml"), "-o", wide);
const still = await open(view, wide);
const marked = await still.$$eval("nav a.here", (list) => list.map((a) => a.hash).join());
expect(marked === "#motion", `without a motion the contents begin at ${marked}`);
await view.close();
