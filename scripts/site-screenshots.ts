// npm run screenshots:site: saves pages of the documentation site in light and dark to docs/images.
import { join } from "node:path";
import { openBrowser, openTab } from "../test/inspector/support/browser.ts";
import { serveSite } from "../test/site/serve-site.ts";
import { root } from "./run.mjs";

const PAGES = { home: "/", guide: "/guides/safe-writes", reference: "/reference/errors" };
const SIZE = { width: 1_200, height: 750 };

const [site, browser] = await Promise.all([serveSite(), openBrowser()]);
for (const colours of ["light", "dark"] as const) {
  for (const [name, path] of Object.entries(PAGES)) {
    const tab = await openTab(browser, `${site.address}${path}`, { colours, ...SIZE });
    const { page } = tab;
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(root, `docs/images/site-${name}-${colours}.png`) });
    await tab.close();
  }
}
await browser.close();
await site.close();
