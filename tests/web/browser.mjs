// What the tests of the pages share: a browser, pages without surprises, and a list of what went wrong.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.env.TOOLS, "package.json"));
const puppeteer = require("puppeteer-core");
export const axeSource = require.resolve("axe-core/axe.min.js");
export const site = process.env.SITE;

export const everyPage = () =>
  readdirSync(site)
    .filter((name) => name.endsWith(".html") && name !== "index.html")
    .sort();

export const cetaev = (...words) => execFileSync(process.env.CETAEV, words, { encoding: "utf8", maxBuffer: 1 << 28 });

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });

// All tests share the browser; each has windows of its own, which know nothing of each other. An empty page keeps a window open
// when the last other one is closed: to open windows costs more than to open pages.
export async function newWindow() {
  const window = await browser.createBrowserContext();
  await window.newPage();
  return window;
}

const problems = [];
export function expect(condition, what) {
  if (!condition) problems.push(what);
}
export async function finish() {
  await browser.close();
  for (const problem of problems.slice(0, 60)) console.error(problem);
  if (problems.length > 60) console.error(`and ${problems.length - 60} more`);
  console.log(problems.length === 0 ? "all good" : `${problems.length} problems`);
  process.exit(problems.length === 0 ? 0 : 1);
}

// A page from disk. Errors in its console, and any request beyond the disk, are problems.
export async function open(window, file, { width = 1280, height = 900, scheme = "light", scripts = true } = {}) {
  const page = await window.newPage();
  const name = path.basename(file);
  page.on("console", (message) => expect(!["error", "warning"].includes(message.type()), `${name}: console: ${message.text()}`));
  page.on("pageerror", (error) => expect(false, `${name}: script error: ${error.message}`));
  page.on("request", (request) => expect(/^(file|data|blob):/.test(request.url()), `${name}: asks for ${request.url()}`));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(file).href);
  await page.evaluate(() => document.fonts.ready.then(() => true));
  return page;
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// How many pixels of a picture are near a colour [r, g, b] within a box [x, y, width, height], for each of a list.
export async function pixelsNear(page, screenshot, list) {
  return page.evaluate(
    async (base64, places) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return places.map(({ box, colour: [r, g, b] }) => {
        const { data } = context.getImageData(...box);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 60) count++;
        return count;
      });
    },
    screenshot,
    list.map(({ box, colour }) => ({ box, colour })),
  );
}

// Several at a time, each helper with a window of its own: only the page in front is animated.
export async function each(items, helpers, work) {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: helpers }, async () => {
      const window = await newWindow();
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(window, item);
      await window.close();
    }),
  );
}
