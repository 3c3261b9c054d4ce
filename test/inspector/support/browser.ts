import axe from "axe-core";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { programPath } from "../../../scripts/setup.mjs";

/** Debian's Chromium; root may not use its sandbox, and what it opens here is our own. */
export function openBrowser(words: readonly string[] = []): Promise<Browser> {
  const executablePath = programPath("chromium");
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...words],
  });
}

export interface Looks {
  readonly colours?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** A page of its own, as a person with these eyes and this screen has it. */
export async function openTab(browser: Browser, address: string, looks: Looks = {}): Promise<Tab> {
  const { colours = "light", width = 1_280, height = 800 } = looks;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colours,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  // Ends a test that hangs; how fast the page is does not matter here.
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const tab = new Tab(page);
  await page.goto(address);
  return tab;
}

/** A page, and what went wrong in it without anyone seeing. */
export class Tab {
  readonly page: Page;
  readonly problems: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", ({ message }) => this.problems.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(message.text());
    });
  }

  /** Goes to a view by its address, as a link would. */
  async go(hash: string): Promise<void> {
    await this.page.evaluate((next) => {
      location.hash = next;
    }, hash);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

export interface Finding {
  readonly id: string;
  readonly where: readonly string[];
}

/** The findings of axe that keep someone from using the page. */
export async function seriousFindings(page: Page): Promise<Finding[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await checker.run({ resultTypes: ["violations"], preload: false });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }));
  });
}
