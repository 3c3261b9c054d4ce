// @ts-check
/** @typedef {import("playwright-core").Page} Page */

/**
 * Milliseconds from the click on the view until the picture is drawn and responds, which is two
 * frames later.
 * @param {Page} page
 */
export function timeToGraph(page) {
  return page.evaluate(
    () =>
      new Promise((/** @type {(ms: number) => void} */ resolve) => {
        const link = [...document.querySelectorAll("nav a")].find(
          ({ textContent }) => textContent === "Code graph",
        );
        const started = performance.now();
        const look = () => {
          if (document.querySelector('[role="application"][aria-busy="false"]') === null) {
            requestAnimationFrame(look);
            return;
          }
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(performance.now() - started)),
          );
        };
        /** @type {HTMLElement | undefined} */ (link)?.click();
        look();
      }),
  );
}

/**
 * Frames per second while the picture is dragged.
 * @param {Page} page
 * @param {number} moves
 */
export async function dragRate(page, moves) {
  const box = await page.locator('[role="application"]').boundingBox();
  if (box === null) return Number.NaN;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await countFrames(page);
  for (let move = 0; move < moves; move += 1) {
    await page.mouse.move(x + Math.sin(move / 9) * 150, y + Math.cos(move / 7) * 100);
    await page.waitForTimeout(8);
  }
  const rate = await page.evaluate(() => {
    const { framesSeen, since } = Object.assign({ framesSeen: 0, since: 0 }, globalThis);
    return (framesSeen * 1_000) / (performance.now() - since);
  });
  await page.mouse.up();
  return rate;
}

/** @param {Page} page */
function countFrames(page) {
  return page.evaluate(() => {
    const seen = Object.assign(globalThis, { framesSeen: 0, since: performance.now() });
    const count = () => {
      seen.framesSeen += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
}
