// npm run screenshots: saves every view of the inspector in light and dark to docs/images.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openBrowser, openTab } from "../test/inspector/support/browser.ts";
import type { Tab } from "../test/inspector/support/browser.ts";
import { buildPage } from "../test/inspector/support/build-page.ts";
import { codeBaseAt } from "../test/inspector/support/graph-world.ts";
import { openWorld } from "../test/inspector/support/world.ts";
import type { World } from "../test/inspector/support/world.ts";
import { root } from "./run.mjs";

const HELLO = { owner: "octo", name: "hello" };
const TITLES = ["items.*.number", "items.*.title"];
const SIZE = { width: 1_200, height: 750 };
const images = join(root, "docs/images");

/**
 * Simulates an hour of an agent's work in a few seconds: reads, lists, writes, a chain, and
 * failures.
 */
async function work({ waybill, withoutGh, github }: World): Promise<string> {
  const number = 1;
  for (let round = 0; round < 8; round += 1) {
    await waybill.execute("repo.view", HELLO, { select: ["defaultBranch"] });
    await waybill.execute("issue.list", { ...HELLO, state: "all" }, { select: TITLES });
    await waybill.execute("pr.list", HELLO, { select: TITLES, route: "rest" });
    await waybill.execute("issue.view", { ...HELLO, issueNumber: number }, { route: "rest" });
    if (round % 3 === 1) await waybill.execute("issue.view", { ...HELLO, issueNumber: 4_000 });
    await wait(250);
  }
  await waybill.chain([
    { id: "made", task: "issue.create", input: { ...HELLO, title: "Greet in Welsh" } },
    {
      task: "issue.comments.create",
      input: { ...HELLO, issueNumber: { $from: "made.data.number" }, body: "Shwmae!" },
    },
  ]);
  github.faults.inject({ kind: "status", status: 502, match: { path: "/graphql" }, times: 9 });
  const { meta } = await withoutGh.execute("repo.view", HELLO, { trace: true });
  return meta.request_id ?? "";
}

async function takeScreenshot(tab: Tab, name: string, hash: string): Promise<void> {
  await tab.go(hash);
  await tab.page.locator("main h1").waitFor();
  await tab.page.locator(".loading, [aria-busy=true]").waitFor({ state: "detached" });
  await tab.page.getByText("Loading…").first().waitFor({ state: "detached" });
  await tab.page.evaluate(() => document.fonts.ready);
  await wait(400);
  await tab.page.screenshot({ path: join(images, `${name}.png`) });
}

const [page, browser] = await Promise.all([
  mkdtemp(join(tmpdir(), "waybill-page-")).then(buildPage),
  openBrowser(),
  mkdir(images, { recursive: true }),
]);
const codeBase = codeBaseAt(root);
const world = await openWorld(page, codeBase.more);
const call = await work(world);
await world.settle();
const VIEWS = [
  ["calls", "#/calls"],
  ["call", `#/calls/${call}`],
  ["capabilities", "#/capabilities"],
  ["capability", "#/capabilities/issue.list"],
  ["sources", "#/sources"],
  ["tokens", "#/tokens?range=all"],
] as const;
// The view of the code graph makes calls of its own, which no other picture should show.
const GRAPH = [["graph", "#/graph?file=packages/core/src/budget/fit.ts&impact=file"]] as const;
for (const views of [VIEWS, GRAPH]) {
  for (const colours of ["light", "dark"] as const) {
    const tab = await openTab(browser, world.address, { colours, ...SIZE });
    await tab.page.getByText("connected").waitFor();
    for (const [name, hash] of views) await takeScreenshot(tab, `${name}-${colours}`, hash);
    await tab.close();
  }
}
await browser.close();
await world.close();
await codeBase.close();
await rm(page, { recursive: true, force: true });
