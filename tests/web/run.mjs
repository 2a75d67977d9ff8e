// Runs tests of the pages one after the other in one browser: node run.mjs NAME…
import { expect, finish } from "./browser.mjs";

for (const name of process.argv.slice(2)) {
  const start = performance.now();
  await import(`./${name}.mjs`).catch((error) => expect(false, `${name}: ${error.stack}`));
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
await finish();
