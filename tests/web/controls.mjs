// The animation advances, and its controls and those of the charts answer mouse and keyboard; without scripts the page still tells
// everything.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { each, everyPage, expect, newWindow, open, pause, site } from "./browser.mjs";

const drawing = (page) => page.$eval("#stage canvas", (canvas) => canvas.toDataURL());
const scrub = (page, place) =>
  page.$eval(
    ".controls input",
    (slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input"));
    },
    place,
  );
const time = (page) => page.$eval(".controls output", (output) => output.textContent);

// Every page with a motion moves: its picture is another one at another time. Formulas, which take most of the time a page takes to
// appear, are left out for this. Every third, unless all pages are to be looked at: they have one program.
const moving = everyPage().filter((_, i) => process.env.PAGES === undefined || i % 3 === 0);
const slim = path.join(process.env.TOOLS, "slim");
mkdirSync(slim, { recursive: true });
await each(moving, 2, async (view, name) => {
  const file = path.join(slim, name);
  writeFileSync(file, readFileSync(path.join(site, name), "utf8").replace(/<math[^]*?<\/math>/g, ""));
  const page = await open(view, file, { width: 1000, height: 700 });
  if ((await page.$("#stage")) !== null) {
    expect((await page.$("#stage canvas")) !== null, `${name}: no canvas`);
    const pictures = new Set();
    for (const place of [130, 390, 0, 710, 1000]) {
      await scrub(page, place);
      pictures.add(await drawing(page));
      if (pictures.size > 1) break;
    }
    expect(pictures.size > 1, `${name}: the picture is the same at all times`);
  }
  await page.close();
});

const view = await newWindow();
const page = await open(view, path.join(site, "skate.html"), { width: 1280, height: 1000 });
// Mouse: pause, scrub, play.
await page.click(".controls .play");
expect((await page.$eval(".play", (b) => b.textContent)) === "Play", "the button does not pause");
const stopped = await time(page);
await pause(300);
expect((await time(page)) === stopped, "paused, it moves on");
await scrub(page, 700);
expect((await time(page)) === "t = 7.0", `scrubbed to 0.7 of 10 it shows ${await time(page)}`);
// Keyboard: the slider moves by arrows, the button plays by the space bar.
await page.focus(".controls input");
await page.keyboard.press("ArrowRight");
await page.keyboard.press("PageUp");
expect((await time(page)) !== "t = 7.0", "the arrow keys do not move the slider");
await page.focus(".controls .play");
const before = await time(page);
await page.keyboard.press("Space");
await pause(600);
expect((await time(page)) !== before, "the space bar does not play");
await page.keyboard.press("Space");
await page.select(".controls select", "4");

// Charts: hovering and arrow keys read values off, the legend hides curves, dragging enlarges, Escape shows everything again.
const chart = await page.$("#chart-positions-2");
await chart.scrollIntoView();
const box = await (await chart.$("svg")).boundingBox();
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
const reading = () => page.$eval("#chart-positions-2 .reading", (r) => (r.hidden ? null : r.textContent));
expect(/t = .*y = /.test((await reading()) ?? ""), "hovering reads nothing off");
await page.mouse.move(5, 5);
expect((await reading()) === null, "the reading stays");
await page.focus("#chart-positions-2");
await page.keyboard.press("ArrowRight");
expect((await reading()) !== null, "the arrow keys read nothing off");
await page.keyboard.press("Escape");
expect((await reading()) === null, "Escape does not put the reading away");
const paths = () => page.$$eval("#chart-positions-2 .curve", (list) => list.map((p) => p.getAttribute("class") + p.getAttribute("d")).join());
const whole = await paths();
await page.click("#chart-positions-2 .legend button");
expect((await page.$$eval("#chart-positions-2 .curve.off", (list) => list.length)) === 1, "the legend hides nothing");
await page.click("#chart-positions-2 .legend button");
expect((await paths()) === whole, "the legend does not bring the curve back");
await page.mouse.move(box.x + 200, box.y + 80);
await page.mouse.down();
await page.mouse.move(box.x + 400, box.y + 120, { steps: 4 });
await page.mouse.up();
expect((await paths()) !== whole, "dragging does not enlarge");
await page.focus("#chart-positions-2");
await page.keyboard.press("Escape");
expect((await paths()) === whole, "Escape does not show everything again");

// Any two quantities.
const pair = () => page.$eval("#chart-pair .curve", (p) => p.getAttribute("d"));
const first = await pair();
await page.select(".pair select", "2");
expect((await pair()) !== first, "choosing another quantity changes nothing");

// What a button copies is what stands there.
await page.$eval("#reproduce .copybutton", (button) => button.scrollIntoView());
await page.click("#reproduce .copybutton");
await pause(100);
expect((await page.$eval("#reproduce .copybutton", (b) => b.textContent)) === "Copied", "the button does not copy");
await page.close();

// In space one may turn the picture.
const disc = await open(view, path.join(site, "rolling-disc.html"), { width: 1280, height: 1000 });
await disc.click(".controls .play");
await pause(50);
const seen = await drawing(disc);
await disc.focus("#stage canvas");
await disc.keyboard.press("ArrowLeft");
expect((await drawing(disc)) !== seen, "the arrow keys do not turn the picture");
await disc.close();

// Scripts off: pictures, formulas and charts are there, and nothing that cannot work.
const plain = await open(view, path.join(site, "skate.html"), { scripts: false });
const html = await plain.content();
expect(/<svg class="picture"/.test(html) && /<math>/.test(html) && /<path class="curve/.test(html), "without scripts something is missing");
expect(!/class="controls"|class="copybutton"/.test(html), "without scripts there are controls that do nothing");
await plain.close();
await view.close();
