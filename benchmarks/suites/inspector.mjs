// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { programPath } from "../../scripts/setup.mjs";
import { TOKEN } from "../lib/http-load.mjs";
import {
  callsShown,
  firstPaint,
  loadAll,
  longestTask,
  scrollRate,
  visitViews,
} from "../lib/inspector-page.mjs";
import { median } from "../lib/measure.mjs";

/** @typedef {import("playwright-core").Browser} Browser */

export const title = "The inspector's page";

const CALLS = 10_000;
const CALLS_A_SECOND = 200;
const COUNT = CALLS.toLocaleString("en");
const MAX_TASK_MS = 50;
const LONGEST = "Longest task";
const VIEWS = ["#/tokens?range=all", "#/sources", "#/capabilities", "#/calls?status=ok", "#/calls"];
const program = fileURLToPath(new URL("../lib/inspector-server.mjs", import.meta.url));
const assets = fileURLToPath(new URL("../../packages/inspector/dist/assets", import.meta.url));

/** @param {string} folder */
async function startInspector(folder) {
  const child = fork(program, [folder, String(CALLS)], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const input = /** @type {import("node:stream").Readable} */ (child.stdout);
  const line = /** @type {[string]} */ (await once(createInterface({ input }), "line"));
  return { child, address: `http://127.0.0.1:${line[0]}/#token=${TOKEN}` };
}

function openBrowser() {
  const executablePath = programPath("chromium");
  if (executablePath === undefined) throw new Error("chromium is not on the PATH");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

/**
 * Time to the first paint of pages without a cache. @param {Browser} browser @param {string}
 * address @param {number} rounds
 */
async function getPaint(browser, address, rounds) {
  const paints = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForSelector(".call-row");
    paints.push(await firstPaint(page));
    await context.close();
  }
  return median(paints);
}

/** The size in KB, without the code graph, which is loaded on demand. */
function scriptSize() {
  const names = readdirSync(assets).filter((name) => /^(?!graph).*\.js$/u.test(name));
  const sizes = names.map(
    (name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}

/** @param {string} address @param {import("node:child_process").ChildProcess} child @param {boolean} quick */
async function measurePage(address, child, quick) {
  const ms = quick ? 2_000 : 8_000;
  const browser = await openBrowser();
  try {
    const paint = await getPaint(browser, address, quick ? 3 : 9);
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await page.goto(address);
    await page.waitForSelector(".call-row");
    const loading = await longestTask(browser, page, () => loadAll(page, CALLS));
    const rate = await scrollRate(page, ms);
    await page.evaluate(() => document.querySelector(".call-rows")?.scrollTo(0, 0));
    const before = await callsShown(page);
    child.send(CALLS_A_SECOND);
    const task = await longestTask(browser, page, () => page.waitForTimeout(ms));
    const came = (await callsShown(page)) - before;
    if (came < (CALLS_A_SECOND * ms) / 2_000) throw new Error(`Only ${came} calls came`);
    const visit = await longestTask(browser, page, () => visitViews(page, VIEWS));
    return { paint, rate, task, loading, visit, size: scriptSize() };
  } finally {
    await browser.close();
  }
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-inspector-"));
  const { child, address } = await startInspector(folder);
  try {
    const { paint, rate, task, loading, visit, size } = await measurePage(address, child, quick);
    const rows = [
      inspectorRow("First contentful paint", paint, "ms", "≤", 1_000),
      inspectorRow(`Scrolling ${COUNT} calls`, rate, "frames/s", "≥", 55),
      inspectorRow(`${LONGEST} while ${COUNT} calls are loaded`, loading, "ms", "≤", MAX_TASK_MS),
      inspectorRow(`${LONGEST} at ${CALLS_A_SECOND} calls a second`, task, "ms", "≤", MAX_TASK_MS),
      inspectorRow(
        `${LONGEST} while every view of ${COUNT} calls is opened`,
        visit,
        "ms",
        "≤",
        MAX_TASK_MS,
      ),
      inspectorRow("Compressed script without the code graph", size, "KB", "≤", 150),
    ];
    const notes = [
      "Measured with headless Chromium without a graphics card, and the real server with its history in SQLite.",
      "The length of a task is the processor time of the page's thread.",
    ];
    return { rows, notes };
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} name
 * @param {number} value
 * @param {string} unit
 * @param {"≤" | "≥"} sign
 * @param {number} limit
 */
function inspectorRow(name, value, unit, sign, limit) {
  const met = sign === "≤" ? value <= limit : value >= limit;
  return { name, value, unit, target: `${sign} ${limit.toLocaleString("en")} ${unit}`, met };
}
