// A model full of markup is shown as text: nothing of it becomes an element, and no script of it runs.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cetaev, expect, finish, launch, open, pause } from "./browser.mjs";

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
const browser = await launch();
const page = await open(browser, out);
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
  const narrow = await open(browser, wide, { width });
  await narrow.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  await pause(100);
  const reach = await narrow.evaluate(() => document.documentElement.scrollWidth);
  expect(reach <= width, `long names: ${reach} pixels wide in a window of ${width}`);
  await narrow.close();
}
writeFileSync(path.join(folder, "still.toml"), `coordinates = ["x"]\nlagrangian = "x*x'"\n`);
cetaev("report", path.join(folder, "still.toml"), "-o", wide);
const still = await open(browser, wide);
const marked = await still.$$eval("nav a.here", (list) => list.map((a) => a.hash).join());
expect(marked === "#motion", `without a motion the contents begin at ${marked}`);
await browser.close();
finish();
