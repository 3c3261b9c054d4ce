import axe from "axe-core";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { programPath } from "../../../scripts/setup.mjs";

/**
 * Debian's Chromium, without its sandbox: root may not use the sandbox, and the browser opens only
 * our own page.
 */
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

/** A new page with the given theme, preferences and screen size. */
export async function openTab(browser: Browser, address: string, looks: Looks = {}): Promise<Tab> {
  const { colours = "light", width = 1_280, height = 800 } = looks;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colours,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  // The time limit that ends a test that hangs. The speed of the page does not matter here.
  context.setDefaultTimeout(900_000);
  const page = await context.newPage();
  const tab = new Tab(page);
  await page.goto(address);
  return tab;
}

/** A page, and the errors in its console. */
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

  /** Opens a view by its URL, as a link would. */
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

/** The accessibility problems that axe finds. */
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
