import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { readSections } from "../../docs/.vitepress/pages.ts";
import { root } from "../../scripts/run.mjs";
import { openBrowser, openTab, seriousFindings } from "../inspector/support/browser.ts";
import type { Looks, Tab } from "../inspector/support/browser.ts";
import { describeWithProgram } from "../support/programs.ts";
import { serveSite } from "./serve-site.ts";
import type { Site } from "./serve-site.ts";

const docs = join(root, "docs");
const links = readSections(join(docs, "README.md")).flatMap(({ items }) =>
  items.map(({ link }) => link),
);
/** Pages that the sidebar does not list. */
const UNLISTED = ["/README", "/index", "/dependencies"];
/** Pages that a page of the sidebar lists. */
const PARTS = /^\/reference\/(?:api|command)\//;
/**
 * The theme's search button shows its keyboard shortcut beside its name, which is not an
 * accessibility problem.
 */
const ACCEPTED = ["label-content-name-mismatch"];
const SHOWN = ["/", "/guides/safe-writes", "/reference/errors"];

it("docs/README.md lists every page once, so that each is in the sidebar", () => {
  const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `/${name.slice(0, -".md".length)}`)
    .filter((name) => !PARTS.test(name));
  expect([...links, ...UNLISTED].toSorted()).toEqual(pages.toSorted());
});

describeWithProgram("chromium", () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    [site, browser] = await Promise.all([serveSite(), openBrowser()]);
  });

  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function visit(path: string, looks?: Looks): Promise<Tab> {
    const tab = await openTab(browser, `${site.address}${path}`, looks);
    onTestFinished(() => tab.close());
    return tab;
  }

  it("the documentation site gives every page of the sidebar its own title", async () => {
    const titles = await Promise.all(
      links.map(async (link) => {
        const page = await (await fetch(`${site.address}${link}`)).text();
        return /<title>(?<title>[^<]+) \| Waybill<\/title>/u.exec(page)?.groups?.["title"];
      }),
    );
    expect(titles).not.toContain(undefined);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('the search of the documentation site finds the guide to safe writes for "lost response"', async () => {
    const { page } = await visit("/");
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("lost response");
    await page.getByRole("option").filter({ hasText: "Safe writes" }).first().click();
    await page.waitForURL("**/guides/safe-writes*");
    // The URL changes before the page is drawn, so the test waits for the page.
    const heading = page.getByRole("heading", { level: 1, name: "Safe writes" });
    await heading.waitFor();
    expect(await heading.count()).toBe(1);
  });

  it.each(["light", "dark"] as const)(
    "the documentation site has no serious accessibility problem on %s pages",
    async (colours) => {
      for (const path of SHOWN) {
        const { page, problems } = await visit(path, { colours });
        await page.getByRole("heading", { level: 1 }).waitFor();
        const background = await page.evaluate(
          () => getComputedStyle(document.body).backgroundColor,
        );
        expect([path, background === "rgb(255, 255, 255)"]).toEqual([path, colours === "light"]);
        const findings = (await seriousFindings(page)).filter(({ id }) => !ACCEPTED.includes(id));
        expect([path, findings, problems]).toEqual([path, [], []]);
      }
    },
  );
});
