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
await browser.close();
finish();
