// A headless Chromium that draws without a graphics card, and what its pages say.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Path of the browser; undefined: there is none. */
export function findBrowser() {
  if (process.env.CAIRN_CHROMIUM) return process.env.CAIRN_CHROMIUM;
  const onPath = (process.env.PATH ?? "").split(delimiter)
    .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)));
  return ["/usr/bin/chromium", ...onPath].find((path) => existsSync(path));
}

/** Start the browser; ends the program with "skipped" if there is none. */
export async function launch() {
  const executablePath = findBrowser();
  if (!executablePath) {
    console.log("skipped: no Chromium");
    process.exit(77);
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** Open a page file. `messages` gathers its errors and warnings, `requests` what it asks the network for. prepare: what is done with the
 *  page before it is opened. */
export async function openPage(browser, file, { width = 1280, height = 720, touch = false, prepare = async (_page) => {} } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch });
  const page = await context.newPage();
  const messages = [], requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isOfDriver(message.text())) messages.push(message.text());
  });
  page.on("pageerror", (error) => messages.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
  });
  await prepare(page);
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => document.documentElement.dataset.state !== undefined);
  return { page, messages, requests, close: () => context.close() };
}

/** Chromium tells about its own software drawing; pages can do nothing about that. */
function isOfDriver(text) { return /GL Driver Message|Automatic fallback to software WebGL|GPU stall/.test(text); }
