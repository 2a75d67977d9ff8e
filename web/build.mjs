// Bundles the scripts of the pages and puts the fonts into a style sheet: dist/report.js and dist/fonts.css.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";

const range = (from, to) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

// What formulas are made of: letters upright and italic, Greek likewise, digits, accents, operators, large brackets.
const mathematics =
  range(0x20, 0x7e) + "±·×÷¬°¨¯˙~√∂∑∏∫∞≠≤≥≈≡→′″‴−∗⋅⟨⟩|‖⃛ℎħ" + range(0x391, 0x3c9) + "ϑϕϖϱϵ" + range(0x1d434, 0x1d467) + range(0x1d6a4, 0x1d71b);
// What prose is made of; other scripts fall back on the reader's own fonts.
const prose = range(0x20, 0x7e) + range(0xa0, 0xff) + "–—‘’“”…←→−√";
const central = range(0x100, 0x17f) + "ȘșȚț";

const fonts = [
  ["STIX Two Math", 400, "normal", [["stix-two-math/files/stix-two-math-latin-400-normal.woff2", mathematics]]],
  ["STIX Two Text", 400, "normal", [
    ["stix-two-text/files/stix-two-text-latin-400-normal.woff2", prose],
    ["stix-two-text/files/stix-two-text-latin-ext-400-normal.woff2", central],
    ["stix-two-text/files/stix-two-text-greek-400-normal.woff2", range(0x391, 0x3c9)],
  ]],
  ["STIX Two Text", 600, "normal", [
    ["stix-two-text/files/stix-two-text-latin-600-normal.woff2", prose],
    ["stix-two-text/files/stix-two-text-latin-ext-600-normal.woff2", central],
  ]],
];

const code = (text) => {
  const points = [...text].map((c) => c.codePointAt(0));
  return `U+${Math.min(...points).toString(16)}-${Math.max(...points).toString(16)}`;
};

await mkdir("dist", { recursive: true });
let style = "";
for (const [family, weight, shape, files] of fonts) {
  for (const [file, text] of files) {
    const font = await subsetFont(await readFile(`node_modules/@fontsource/${file}`), text, { targetFormat: "woff2" });
    style += `@font-face{font-family:"${family}";font-weight:${weight};font-style:${shape};font-display:swap;`;
    if (family === "STIX Two Text") style += `unicode-range:${code(text)};`;
    style += `src:url(data:font/woff2;base64,${Buffer.from(font).toString("base64")}) format("woff2")}\n`;
  }
}
await writeFile("dist/fonts.css", style);

await build({
  entryPoints: ["src/report.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  outfile: "dist/report.js",
});
