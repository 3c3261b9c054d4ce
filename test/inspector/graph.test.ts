import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { oncePerRun } from "../support/once-per-run.ts";
import { describeWithProgram } from "../support/programs.ts";
import { openBrowser, openTab, seriousFindings } from "./support/browser.ts";
import type { Looks, Tab } from "./support/browser.ts";
import { buildPage } from "./support/build-page.ts";
import { MARKUP_FILE, openGraphWorld } from "./support/graph-world.ts";
import { coloursIn } from "./support/pixels.ts";
import type { Seen } from "./support/pixels.ts";
import type { World } from "./support/world.ts";

/** The values of the light theme in the stylesheet. */
const COLOURS = {
  core: [0x00, 0x80, 0xab],
  app: [0x47, 0x93, 0x5a],
  dimmed: [0xe3, 0xdf, 0xd7],
  violation: [0xc0, 0x3a, 0x31],
  cycle: [0xb5, 0x73, 0x0a],
} as const;

type Colours = Record<keyof typeof COLOURS, Seen>;

/**
 * The picture is drawn after the page has changed, so the test polls until the picture is right.
 */

/** The drawn picture. */
function drawing(page: Page): Locator {
  return page.locator('[role="application"][aria-busy="false"]');
}

async function findFile(page: Page, words: string, name = "Find a file"): Promise<void> {
  const box = page.getByRole("search", { name }).getByRole("searchbox");
  await box.fill(words);
  await box.press("Enter");
}

describeWithProgram("chromium", () => {
  let folder: string;
  let browser: Browser;
  let world: World;
  let desk: Page;

  beforeAll(async () => {
    // Reduces motion, because without a graphics card animations are slow.
    [folder, browser] = await Promise.all([
      oncePerRun("the page of the inspector", buildPage),
      openBrowser(["--disable-gpu"]),
    ]);
    world = await openGraphWorld(folder);
    desk = await browser.newPage();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** The drawn view. */
  async function graphAt(query = "", looks: Looks = {}): Promise<Tab> {
    const tab = await openTab(browser, world.address, looks);
    onTestFinished(() => tab.close());
    await tab.go(`#/graph${query}`);
    await drawing(tab.page).waitFor();
    return tab;
  }

  function colours(page: Page): Promise<Colours> {
    return coloursIn(desk, drawing(page), COLOURS);
  }

  function drawn(page: Page, areSo: (now: Colours) => boolean): () => Promise<boolean> {
    return async () => areSo(await colours(page));
  }

  it("the inspector draws the code graph in the colours of its layers after a click on Code graph", async () => {
    const tab = await openTab(browser, world.address);
    onTestFinished(() => tab.close());
    await tab.page.getByRole("link", { name: "Code graph" }).click();
    await drawing(tab.page).waitFor();
    await tab.page.getByText("9 files, 9 imports").waitFor();
    const layers = await tab.page.locator(".legend button").allTextContents();
    expect(layers).toEqual(["src/core 5", "src/app 4"]);
    await expect
      .poll(drawn(tab.page, (now) => now.core.pixels > 50 && now.app.pixels > 50))
      .toBe(true);
    expect(tab.problems).toEqual([]);
  });

  it("the inspector marks layer violations and cycles in the code graph, and hides each if asked", async () => {
    const { page } = await graphAt();
    await expect
      .poll(drawn(page, (now) => now.violation.pixels > 20 && now.cycle.pixels > 20))
      .toBe(true);
    await page.getByLabel("Violations").uncheck();
    await expect
      .poll(drawn(page, (now) => now.violation.pixels === 0 && now.cycle.pixels > 20))
      .toBe(true);
    await page.getByLabel("Cycles").uncheck();
    await expect.poll(drawn(page, (now) => now.cycle.pixels === 0)).toBe(true);
    await page.waitForURL(/hide=violations%2Ccycles/u);
    const marked = page.getByRole("region", { name: "Marks" });
    expect(await marked.textContent()).toContain("core-below-app: Core knows nothing");
  });

  it("the inspector shows imports, dependents and symbols of a file that a search in the code graph found", async () => {
    const { page, problems } = await graphAt();
    await findFile(page, "model");
    const facts = page.getByRole("region", { name: "The file src/core/model.ts" });
    await facts.waitFor();
    await facts.getByText("Imports (0)").waitFor();
    expect(await facts.getByRole("list", { name: "Dependents" }).allTextContents()).toEqual([
      "src/core/store.ts",
    ]);
    await facts.getByRole("list", { name: "Symbols" }).getByText("Store").waitFor();
    await facts.getByText("changed", { exact: true }).waitFor();
    await facts.getByRole("button", { name: "src/core/store.ts" }).click();
    await page.getByRole("region", { name: "The file src/core/store.ts" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("the inspector shows the details of a file that is clicked in the code graph", async () => {
    const { page } = await graphAt("?hide=violations,cycles,changed,hotspots");
    await expect.poll(drawn(page, (now) => now.app.spot !== undefined)).toBe(true);
    const position = (await colours(page)).app.spot!;
    await drawing(page).click({ position });
    await page.getByRole("region", { name: /The file src\/app\// }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("9 files, 9 imports").waitFor();
  });

  it("the inspector highlights the files that a change of a file affects, and shows the answer of graph.impact", async () => {
    const { page } = await graphAt("?file=src/app/page.ts");
    await page.getByRole("button", { name: "Highlight its impact" }).click();
    await page.getByText("A change of src/app/page.ts affects 4 files").waitFor();
    const impact = page.getByRole("region", { name: "Impact" });
    await impact.getByRole("button", { name: "main.test.ts" }).waitFor();
    expect(await impact.textContent()).toMatch(/risk (?:low|medium|high)/u);
    // Files that are not affected are dimmed.
    await expect
      .poll(drawn(page, (now) => now.dimmed.pixels > 50 && now.app.pixels > 50))
      .toBe(true);
    await impact.getByText("The answer of graph.impact").click();
    await impact.getByText("directDependents", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Highlight its impact" }).click();
    await page.getByText("src/app/page.ts has 3 neighbours").waitFor();
  });

  it("the inspector highlights the files that the working diff affects in the code graph", async () => {
    const { page } = await graphAt();
    await page.getByRole("button", { name: "Highlight the impact of all of them" }).click();
    await page.getByText("1 changed file, which 7 others depend on").waitFor();
    const impact = page.getByRole("region", { name: "Impact of the working diff" });
    await impact.getByText(/^risk /u).waitFor();
    await expect.poll(drawn(page, (now) => now.dimmed.pixels > 20)).toBe(true);
  });

  it("the inspector shows the path of imports between two files, and the reverse path", async () => {
    const { page } = await graphAt("?file=src/app/main.test.ts");
    await page.getByRole("button", { name: "Path to…" }).click();
    await findFile(page, "price", "Target of the path");
    const way = page.getByRole("list", { name: "Path 1" });
    await way.waitFor();
    expect(await way.getByRole("button").allTextContents()).toEqual([
      "src/app/main.test.ts",
      "src/app/main.ts",
      "src/core/store.ts",
      "src/core/price.ts",
    ]);
    await expect.poll(drawn(page, (now) => now.dimmed.pixels > 50)).toBe(true);
    await page.getByRole("button", { name: "Reverse direction" }).click();
    await page.getByText("No imports lead from").waitFor();
  });

  it("the inspector zooms the code graph with the keyboard", async () => {
    const { page } = await graphAt();
    const before = (await colours(page)).core.pixels;
    await drawing(page).focus();
    await page.keyboard.press("+");
    await expect.poll(drawn(page, (now) => now.core.pixels > before * 1.3)).toBe(true);
    await page.keyboard.press("0");
    await expect
      .poll(drawn(page, (now) => Math.abs(now.core.pixels - before) < before * 0.1))
      .toBe(true);
  });

  it("the inspector shows a file name with HTML markup as text in the code graph", async () => {
    const { page, problems } = await graphAt(`?file=${encodeURIComponent(MARKUP_FILE)}`);
    await page.getByRole("heading", { name: MARKUP_FILE }).waitFor();
    expect(await page.locator("main b").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "the inspector has no serious accessibility problem in the %s code graph",
    async (theme) => {
      const looks = { colours: theme };
      const { page } = await graphAt("?file=src/core/store.ts&impact=file", looks);
      await page.getByText("The answer of graph.impact").waitFor();
      await page.getByText("The answer of graph.symbols").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    },
  );

  it("the inspector fits the code graph on the screen of a phone without sideways scrolling", async () => {
    const { page } = await graphAt("", { width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await seriousFindings(page)).toEqual([]);
  });

  describe("browser without WebGL", () => {
    it("the inspector says that WebGL is missing and still shows the lists of the code graph", async () => {
      const plain = await openBrowser(["--disable-3d-apis"]);
      try {
        const { page } = await openTab(plain, world.address);
        await page.getByRole("link", { name: "Code graph" }).click();
        await page.getByText("This browser does not support WebGL").waitFor();
        await findFile(page, "page.ts");
        const facts = page.getByRole("region", { name: "The file src/app/page.ts" });
        await expect.poll(() => facts.isVisible()).toBe(true);
      } finally {
        await plain.close();
      }
    });
  });
});
