// How fast pages play: node measure.mjs PAGE.html ... [--seconds 5] [--size 1280x720]
//
// Opens each in headless Chromium, lets it play, and counts the pictures that are drawn. Needs a built page and a browser.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launch, openPage } from "./tests/support/browser.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "5" }, size: { type: "string", default: "1280x720" } },
});
const [width, height] = values.size.split("x").map(Number), milliseconds = 1000 * Number(values.seconds);
const browser = await launch();
console.log("page                       MB  bodies  contacts  frames/s");
for (const path of positionals) {
  const { page, close } = await openPage(browser, resolve(path), { width, height });
  await page.waitForTimeout(1000); // the first pictures compile shaders
  const found = await page.evaluate((span) => new Promise((done) => {
    const { recording, stage, player } = window.cairn, from = performance.now();
    player.play();
    let pictures = 0;
    const look = () => {
      ++pictures;
      const now = performance.now();
      if (now - from < span) requestAnimationFrame(look);
      else done({ bodies: recording.bodies, contacts: recording.figure(player.frame, "contacts"), perSecond: 1000 * pictures / (now - from), told: stage.framesPerSecond });
    };
    requestAnimationFrame(look);
  }), milliseconds);
  const name = path.split("/").pop();
  console.log(`${name.padEnd(24)} ${(statSync(path).size / 1e6).toFixed(2).padStart(5)} ${String(found.bodies).padStart(7)} ` +
              `${String(found.contacts).padStart(9)} ${found.perSecond.toFixed(1).padStart(9)} (stage: ${found.told.toFixed(1)})`);
  await close();
}
await browser.close();
