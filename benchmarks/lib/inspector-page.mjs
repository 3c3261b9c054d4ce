// @ts-check
/** @typedef {import("playwright-core").Page} Page */

/**
 * Keeps the longest task in `globalThis.longest`; the browser counts those of more than 50 ms.
 * @param {Page} page
 */
export async function watchTasks(page) {
  await page.addInitScript(() => {
    const seen = Object.assign(globalThis, { longest: 0 });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ entryTypes: ["longtask"] });
  });
}

/**
 * The longest task while something is done with the page.
 * @param {Page} page
 * @param {() => Promise<unknown>} work
 */
export async function longestTaskWhile(page, work) {
  await page.evaluate(() => Object.assign(globalThis, { longest: 0 }));
  await work();
  return page.evaluate(() => Object.assign({ longest: 0 }, globalThis).longest);
}

/**
 * The longest task of so many milliseconds from now.
 * @param {Page} page
 * @param {number} ms
 */
export function longestTask(page, ms) {
  return longestTaskWhile(page, () => page.waitForTimeout(ms));
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
 * Has so many calls loaded, as somebody who scrolls to the last of them would.
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
 * Frames in a second while the list is scrolled without a pause.
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
 * How many calls the page says there are.
 * @param {Page} page
 */
export async function callsShown(page) {
  const text = await page.locator(".total").textContent();
  return Number((text ?? "").replaceAll(/\D/gu, ""));
}
