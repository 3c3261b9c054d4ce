// @ts-check
/** @typedef {import("playwright-core").Page} Page */

/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {{ name: string, tid: number, pid: number, tdur?: number, args?: { name?: string } }} TraceEvent */

/**
 * The longest task of the page's main thread during some work, in processor time: on a busy machine
 * a task also waits for other processes, which says nothing about the page.
 * @param {Browser} browser
 * @param {Page} page
 * @param {() => Promise<unknown>} work
 * @returns {Promise<number>} in milliseconds
 */
export async function longestTask(browser, page, work) {
  await browser.startTracing(page, { categories: ["toplevel"] });
  let trace;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = /** @type {{ traceEvents: TraceEvent[] }} */ (JSON.parse(String(trace)));
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => {
    return name.endsWith("RunTask") && threads.has(`${pid} ${tid}`);
  });
  if (tasks.length === 0) throw new Error("The browser traced no task");
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0);
}

/**
 * Opens one view after the other, and waits until each is drawn.
 * @param {Page} page
 * @param {readonly string[]} views
 */
export async function visitViews(page, views) {
  for (const view of views) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, view);
    await page.locator("main h1").waitFor({ state: "attached" });
    await page.locator(".loading").waitFor({ state: "detached" });
    await page.waitForTimeout(500);
  }
}

/** @param {Page} page */
export function firstPaint(page) {
  return page.evaluate(() => {
    const paints = performance.getEntriesByType("paint");
    return paints.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Number.NaN;
  });
}

/**
 * Loads this many calls, as a user who scrolls to the last one would.
 * @param {Page} page
 * @param {number} calls
 */
export async function loadAll(page, calls) {
  await page.waitForFunction((count) => {
    const list = document.querySelector(".call-rows");
    const row = document.querySelector(".call-row");
    if (list === null || row === null) return false;
    list.scrollTop = list.scrollHeight;
    return list.scrollHeight >= count * row.clientHeight;
  }, calls);
}

/**
 * Frames per second while the list is scrolled.
 * @param {Page} page
 * @param {number} ms
 */
export function scrollRate(page, ms) {
  return page.evaluate(async (time) => {
    const list = document.querySelector(".call-rows");
    if (list === null) return Number.NaN;
    list.scrollTop = 0;
    const started = performance.now();
    let frames = 0;
    let last = started;
    while (last - started < time) {
      last = await new Promise(requestAnimationFrame);
      list.scrollTop = (list.scrollTop + 150) % (list.scrollHeight - list.clientHeight);
      frames += 1;
    }
    return (frames * 1_000) / (last - started);
  }, ms);
}

/**
 * The number of calls that the page shows.
 * @param {Page} page
 */
export async function callsShown(page) {
  const text = await page.locator(".total").textContent();
  return Number((text ?? "").replaceAll(/\D/gu, ""));
}
