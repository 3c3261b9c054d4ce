import { readFile } from "node:fs/promises";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createCodeRunner, memoryRunLog } from "@waybill/code";
import { oncePerRun } from "../support/once-per-run.ts";
import { describeWithProgram } from "../support/programs.ts";
import { openBrowser, openTab, seriousFindings } from "./support/browser.ts";
import type { Looks, Tab } from "./support/browser.ts";
import { buildPage } from "./support/build-page.ts";
import { FOREIGN_PAGE, MARKUP, openWorld } from "./support/world.ts";
import type { World } from "./support/world.ts";

const HELLO = { owner: "octo", name: "hello" };
/** Selects output fields so that the answer identifies its call. */
const TRACED = { trace: true };
const VIEWS = ["#/calls", "#/capabilities", "#/capabilities/issue.list", "#/sources", "#/tokens"];

function region(page: Page, name: string): Promise<string | null> {
  return page.getByRole("region", { name }).textContent();
}

describeWithProgram("chromium", () => {
  let folder: string;
  let browser: Browser;
  let world: World;

  beforeAll(async () => {
    [folder, browser] = await Promise.all([
      oncePerRun("the page of the inspector", buildPage),
      openBrowser(),
    ]);
    world = await openWorld(folder);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function tabFor(address: string, looks?: Looks): Promise<Tab> {
    const tab = await openTab(browser, address, looks);
    onTestFinished(() => tab.close());
    return tab;
  }

  async function tabAt(hash = "#/calls", looks?: Looks): Promise<Tab> {
    const tab = await tabFor(world.address, looks);
    await tab.page.getByText("connected").waitFor();
    if (hash !== "#/calls") await tab.go(hash);
    return tab;
  }

  /** Makes a call and opens its page. */
  async function callAt(make: () => Promise<{ meta: { request_id?: string } }>): Promise<Tab> {
    const { meta } = await make();
    await world.settle();
    return tabAt(`#/calls/${meta.request_id}`);
  }

  /** Visits each view by its address, and collects the results. */
  async function visitAll<T>(tab: Tab, look: (page: Page) => Promise<T>): Promise<[string, T][]> {
    const { meta } = await world.withoutGh.execute("repo.view", HELLO, TRACED);
    await world.settle();
    const found: [string, T][] = [];
    for (const view of [...VIEWS, `#/calls/${meta.request_id}`]) {
      await tab.go(view);
      await tab.page.locator("main h1").waitFor();
      await tab.page.locator(".loading").waitFor({ state: "detached" });
      found.push([view, await look(tab.page)]);
    }
    return found;
  }

  describe("calls page", () => {
    it("the inspector shows a call as soon as the call is made, and links to its details", async () => {
      const { page, problems } = await tabAt();
      expect(page.url()).not.toContain(world.token);
      await world.waybill.execute("repo.view", HELLO);
      await page.getByRole("link", { name: "repo.view" }).first().click();
      await page.getByRole("heading", { name: "repo.view" }).waitFor();
      await expect.poll(() => region(page, "Attempts")).toContain("answered");
      expect(await page.getByLabel("The envelope").textContent()).toContain("octo/hello");
      expect(problems).toEqual([]);
    });

    it("the inspector keeps the filters of the calls in its address", async () => {
      const { page } = await tabAt();
      await world.waybill.execute("repo.view", { ...HELLO, name: "not-there" });
      await world.waybill.execute("repo.view", HELLO);
      await page.getByLabel("Status").selectOption("error");
      await page.getByLabel("Search calls").fill("repo.view");
      await page.waitForURL(/#\/calls\?status=error&q=repo\.view$/u);
      await page.reload();
      await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(1);
      const rows = await page.getByRole("row").allTextContents();
      expect(rows.slice(1).filter((row) => !row.includes("NOT_FOUND"))).toEqual([]);
      await page.getByRole("button", { name: "Clear" }).click();
      await page.waitForURL(/#\/calls$/u);
    });

    it("the inspector shows the subject and error of each call, and filters by error", async () => {
      await world.waybill.execute("repo.view", { ...HELLO, name: "nowhere" });
      await world.waybill.execute("repo.view", HELLO);
      const { page } = await tabAt("#/calls?capability=repo.view");
      await page.getByText("octo/nowhere").first().waitFor();
      await page.getByLabel("Error", { exact: true }).selectOption("NOT_FOUND");
      await page.waitForURL(/error=NOT_FOUND/u);
      const rows = async (): Promise<string[]> =>
        (await page.getByRole("row").allTextContents()).slice(1);
      await expect
        .poll(async () => (await rows()).every((row) => row.includes("NOT_FOUND")))
        .toBe(true);
      expect((await rows())[0]).toMatch(/octo\/nowhere.*(?:not found|could not|no )/iu);
      await page.getByLabel("Client").selectOption("nats");
      await page.getByText("No call matches these filters").waitFor();
    });

    it("the inspector shows the totals of the last hour above the calls", async () => {
      await world.waybill.execute("repo.view", HELLO);
      await world.settle();
      const { page } = await tabAt();
      await expect
        .poll(() => region(page, "Last hour"))
        .toMatch(/Calls, last hour[1-9].*Failed.*95th percentile[\d.]+ m?s.*Answer tokens[1-9]/u);
    });

    it("the inspector opens any page with the command palette", async () => {
      const { page, problems } = await tabAt();
      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: "Command palette" });
      await palette.getByRole("combobox").fill("failed");
      await palette.getByRole("option", { name: "Failed calls", selected: true }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.waitForURL(/#\/calls\?status=error$/u);
      await palette.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Go to" }).click();
      await palette.getByRole("combobox").fill("merge a pull request");
      await palette.getByRole("option", { name: "pr.merge capability" }).first().click();
      await page.getByRole("heading", { name: "pr.merge" }).waitFor();
      await page.keyboard.press("Control+k");
      await palette.waitFor();
      await page.keyboard.press("Escape");
      await palette.waitFor({ state: "detached" });
      expect(problems).toEqual([]);
    });

    it("the inspector has keyboard shortcuts for search, help and back", async () => {
      const { page } = await tabAt();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("/");
      const focused = (): Promise<string | null | undefined> =>
        page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
      await expect.poll(focused).toBe("Search calls");
      const other = await callAt(() => world.waybill.execute("repo.view", HELLO, TRACED));
      await other.page.getByRole("heading", { name: "repo.view" }).waitFor();
      await other.page.keyboard.press("Escape");
      await other.page.waitForURL(/#\/calls$/u);
    });

    it.each(["#/tokens", "#/calls?group=session"])(
      "the inspector opens the search of the calls with / on the page %s, which has no search field",
      async (hash) => {
        const { page } = await tabAt(hash);
        await page.locator("main h1").first().waitFor();
        await page.keyboard.press("/");
        const field = page.getByLabel("Search calls");
        await expect
          .poll(() => field.evaluate((input) => input === document.activeElement))
          .toBe(true);
        await page.keyboard.type("jk");
        expect(await field.inputValue()).toBe("jk");
      },
    );

    it("the inspector names the agent of a call and links to its session", async () => {
      const { page } = await callAt(() => world.withoutGh.execute("repo.view", HELLO, TRACED));
      await page.getByRole("link", { name: "claude-code 2.1" }).click();
      await expect.poll(() => page.url()).toContain("session=a1b2c3d4");
    });

    it("the inspector's Calls view can be moved through with the keyboard", async () => {
      await world.waybill.execute("repo.view", HELLO);
      await world.waybill.execute("issue.list", HELLO);
      const { page } = await tabAt();
      await page.getByRole("link", { name: "issue.list" }).first().waitFor();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Skip");
      await page.getByLabel("Rows of calls").focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      const focused = (): Promise<string | undefined> =>
        page.evaluate(() => (document.activeElement as HTMLElement).dataset["index"]);
      await expect.poll(focused).toBe("1");
      await page.keyboard.press("Enter");
      await page.waitForURL(/#\/calls\/.+/u);
    });

    it("the inspector's Calls view keeps its scroll position and counts new calls", async () => {
      for (let made = 0; made < 60; made += 1) await world.waybill.execute("odd.markup", {});
      await world.settle();
      const { page } = await tabAt();
      const rows = page.getByLabel("Rows of calls");
      await page.getByRole("link", { name: "odd.markup" }).first().waitFor();
      await rows.evaluate((list) => list.scrollTo(0, 1_000));
      // Rows are drawn for the visible part of the list, a moment after scrolling.
      const firstDrawn = page.getByRole("row").nth(1);
      await expect
        .poll(async () => Number(await firstDrawn.getAttribute("aria-rowindex")))
        .toBeGreaterThan(2);
      const place = await page.getByRole("row").nth(20).getAttribute("aria-rowindex");
      const inSight = page.locator(`[role=row][aria-rowindex="${place}"]`);
      const before = await inSight.textContent();
      await world.waybill.execute("repo.view", HELLO);
      await page.getByRole("button", { name: "1 new call" }).waitFor();
      expect(await inSight.textContent()).toBe(before);
      await page.getByRole("button", { name: "1 new call" }).click();
      await expect.poll(() => page.getByRole("row").nth(1).textContent()).toContain("repo.view");
    });

    it("the inspector's Calls view pauses while its tab is hidden and catches up when shown", async () => {
      const { page } = await tabAt("#/calls?capability=search.users");
      await page.getByText("connected").waitFor();
      const look = (isHidden: boolean): Promise<void> =>
        page.evaluate((hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }, isHidden);
      const pending = new Set<Request>();
      page.on("request", (request) => pending.add(request));
      page.on("requestfinished", (request) => pending.delete(request));
      page.on("requestfailed", (request) => pending.delete(request));
      await look(true);
      // A request that was sent before may still bring new calls.
      await page.waitForTimeout(800);
      await expect.poll(() => pending.size).toBe(0);
      await world.waybill.execute("search.users", {});
      await world.settle();
      await page.waitForTimeout(800);
      const rows = page.getByRole("link", { name: "search.users" });
      expect(await rows.count()).toBe(0);
      await look(false);
      await rows.first().waitFor();
    });

    it("the inspector shows a new call in two open tabs", async () => {
      const [one, other] = await Promise.all([tabAt(), tabAt()]);
      const { meta } = await world.waybill.execute(
        "issue.view",
        { ...HELLO, issueNumber: 1 },
        TRACED,
      );
      const link = `a[href="#/calls/${meta.request_id}"]`;
      for (const { page } of [one, other]) {
        await expect.poll(() => page.locator(link).count()).toBe(1);
      }
    });
  });

  describe("call page", () => {
    it("the inspector shows the skipped and the answering route of a fallback", async () => {
      const { page } = await callAt(() => world.withoutGh.execute("repo.view", HELLO, TRACED));
      const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
      await expect.poll(() => attempts.count()).toBe(2);
      const [skipped, answered] = await attempts.allTextContents();
      expect(skipped).toMatch(/cli.*skipped/u);
      expect(answered).toMatch(/graphql.*answered/u);
    });

    it("the inspector shows the steps of a chain on one time axis", async () => {
      await world.waybill.chain([
        { id: "made", task: "issue.create", input: { ...HELLO, title: "Greet" } },
        {
          task: "issue.comments.create",
          input: { ...HELLO, issueNumber: { $from: "made.data.number" }, body: "Hi" },
        },
      ]);
      await world.settle();
      const { page } = await tabAt();
      const step = page.getByRole("link", { name: "issue.comments.create" });
      await step.first().click();
      await page.getByRole("region", { name: "Nested calls" }).getByRole("link").first().click();
      const steps = page.getByRole("region", { name: "Steps" });
      await expect
        .poll(() => steps.textContent())
        .toMatch(/2 of 2 succeeded.*issue\.create.*issue\.comments\.create/u);
      expect(await steps.locator(".attempt-bar").count()).toBe(2);
    });

    it("the inspector lists every step of a partly failed chain, including a step that was not sent", async () => {
      await world.waybill.chain(
        [
          { task: "repo.view", input: HELLO },
          { task: "repo.view", input: { ...HELLO, zebra: 1 } },
        ],
        { on_error: "continue" },
      );
      await world.settle();
      const { page } = await tabAt("#/calls?capability=chain");
      await page.getByText("partial").first().waitFor();
      await page.getByRole("link", { name: "chain" }).first().click();
      const steps = page.getByRole("region", { name: "Steps" });
      await expect
        .poll(() => steps.textContent())
        .toMatch(/1 of 2 succeeded.*VALIDATION.*not sent.*zebra/u);
    });

    it("the inspector compares a call with another call of the same capability", async () => {
      await world.waybill.execute("repo.view", { ...HELLO, name: "elsewhere" });
      const { page } = await callAt(() => world.waybill.execute("repo.view", HELLO, TRACED));
      const compared = page.getByRole("region", { name: "Compare" });
      const other = compared.locator("option", { hasText: "octo/elsewhere" }).first();
      const id = await other.getAttribute("value");
      await compared.getByRole("combobox").selectOption(id);
      await expect
        .poll(() => compared.getByRole("table").textContent())
        .toMatch(/input\.name"elsewhere""hello".*error.*NOT_FOUND/u);
      expect(page.url()).toContain("with=");
      expect(await seriousFindings(page)).toEqual([]);
    });

    it("the inspector shows the answer of a call as brief text, as an agent reads the answer", async () => {
      const { page } = await callAt(() =>
        world.waybill.execute("repo.view", { ...HELLO, name: "nowhere" }, TRACED),
      );
      await page.getByRole("button", { name: "As brief text" }).click();
      expect(await page.getByLabel("The envelope").textContent()).toMatch(/^!NOT_FOUND /u);
    });

    it("the inspector repeats a read and copies the call as a command", async () => {
      const { page } = await callAt(() => world.waybill.execute("repo.view", HELLO, TRACED));
      await page.getByRole("button", { name: "Copy Command" }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^waybill run repo\.view/u);
      const before = page.url();
      await page.getByRole("button", { name: "Run again" }).click();
      await page.waitForURL((url) => url.href !== before);
      await expect.poll(() => region(page, "Attempts")).toContain("answered");
    });

    it("the inspector shows markup in inputs and answers as text", async () => {
      const { page, problems } = await callAt(() =>
        world.waybill.execute("odd.markup", { [MARKUP]: MARKUP }, TRACED),
      );
      await expect.poll(() => page.getByLabel("The envelope").textContent()).toContain(MARKUP);
      expect(await page.getByLabel("The request's input").textContent()).toContain(MARKUP);
      await page.goto(`${world.url}/#/capabilities/odd.markup`);
      await expect.poll(() => region(page, "Run it")).toContain(MARKUP);
      expect(await page.locator("img, b").count()).toBe(0);
      expect(await page.title()).not.toBe("run");
      expect(problems).toEqual([]);
    });

    it("the inspector shows images and audio of an answer, and saves other files without opening them", async () => {
      const { page, problems } = await callAt(() => world.waybill.execute("odd.media", {}, TRACED));
      const files = page.getByRole("region", { name: "Files" });
      const image = files.locator("img");
      const width = () => image.evaluate((each) => (each as HTMLImageElement).naturalWidth);
      await expect.poll(width).toBe(1);
      const audio = files.locator("audio");
      const duration = () => audio.evaluate((each) => (each as HTMLAudioElement).duration);
      await expect.poll(duration).toBeCloseTo(0.1);
      await files.getByText("This file is not stored").waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        files.getByRole("button", { name: "Save page.html" }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe("page.html");
      expect(await readFile(await saved.path(), "utf8")).toBe(FOREIGN_PAGE);
      expect(await page.title()).not.toBe("run");
      expect(await seriousFindings(page)).toEqual([]);
      // The only file that no longer exists.
      expect(problems).toEqual([expect.stringContaining("404")]);
    });

    it("the inspector serves a file of an answer only with the page's token, as a download that no browser opens", async () => {
      const { data } = await world.waybill.execute("odd.media");
      const { handle } = (data as { file: { handle: string } }).file;
      const address = `${world.url}/v1/inspect/files/${handle}`;
      expect((await fetch(address)).status).toBe(401);
      const { headers } = await fetch(address, {
        headers: { authorization: `Bearer ${world.token}` },
      });
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toBe("attachment");
      expect(headers.get("content-security-policy")).toContain("sandbox");
      expect(headers.get("cache-control")).toBe("no-store");
    });
  });

  describe("program page", () => {
    const PROGRAM = `const [one, two] = await Promise.all([repo.view("octo/hello"), issue.list("octo/hello")]);
const made = await issue.create("octo/hello", { title: "By a program" });
await issue.delete(\`octo/hello#\${made.number}\`);
return two.length`;

    it("the inspector shows a program with its calls on one time axis, and marks replayed and waiting calls", async () => {
      const runner = createCodeRunner({ log: memoryRunLog() });
      onTestFinished(() => runner.close());
      const { error } = await runner.run(world.waybill, PROGRAM);
      await world.settle();
      const { page, problems } = await tabAt("#/calls?capability=code.run");
      await page.getByRole("link", { name: "code.run" }).first().click();
      await expect
        .poll(() => page.getByLabel("The program", { exact: true }).textContent())
        .toContain('title: "By a program"');
      const tree = page.getByRole("region", { name: "Nested calls" });
      const lines = tree.locator(".tree-line");
      await expect.poll(() => lines.count()).toBe(5);
      const [whole, ...calls] = await lines.allTextContents();
      expect(whole).toContain("code.run");
      expect(calls.join("\n")).toMatch(
        /repo\.view[^]*issue\.list[^]*issue\.create.*applied[^]*issue\.delete.*waits for approval/u,
      );
      // Calls that were sent have a bar on the time axis of the whole run; the others have none.
      expect(await tree.locator(".attempt-bar").count()).toBe(4);
      expect(await seriousFindings(page)).toEqual([]);
      const approve = String(error?.details?.["approve"]);
      expect((await runner.run(world.waybill, undefined, { approve })).ok).toBe(true);
      await world.settle();
      await page.goBack();
      await page.getByRole("link", { name: "code.run" }).first().click();
      await expect.poll(() => tree.textContent()).toMatch(/issue\.create.*replayed/u);
      expect(await page.getByLabel("The call as Command").textContent()).toContain("waybill code ");
      expect(problems).toEqual([]);
    });
  });

  it("the inspector's page of a chain shows the subject of each step, and the error of a chain that sent nothing", async () => {
    const steps = [{ task: "issue.view", input: { ...HELLO, issueNumber: 1 } }];
    const made = await world.waybill.chain(steps);
    const refused = await world.waybill.chain([{ task: "issue.vew", input: {} }]);
    await world.settle();
    const { page } = await tabAt(`#/calls/${made.meta.request_id}`);
    await page.getByText("1 of 1 succeeded").waitFor();
    expect(await region(page, "Steps")).toContain("octo/hello#1");
    const other = await tabAt(`#/calls/${refused.meta.request_id}`);
    await expect.poll(() => other.page.locator("main").textContent()).toContain("issue.vew");
    expect(await other.page.locator(".title-row").textContent()).not.toContain("partial");
  });

  it("the inspector's filters that are shown as tags have no serious accessibility problem", async () => {
    const { page } = await tabAt("#/calls?session=tour&parent=some-call&since=1");
    await page.getByRole("button", { name: "remove the filter" }).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  describe("capability page", () => {
    it("the inspector finds a capability by search", async () => {
      const { page } = await tabAt("#/capabilities");
      await page.getByLabel("Search capabilities").fill("merge a pull request");
      await page.getByRole("link", { name: "pr.merge" }).first().click();
      await page.getByRole("heading", { name: "pr.merge" }).waitFor();
      expect(await region(page, "Routes")).toMatch(/graphql|rest/u);
    });

    it("the inspector opens a clicked capability while a search is still waiting for a pause in typing", async () => {
      const { page } = await tabAt("#/capabilities");
      const link = page.getByRole("link", { name: "pr.merge", exact: true });
      await link.waitFor();
      await page.evaluate(() => {
        const held: (() => void)[] = [];
        const later = globalThis.setTimeout;
        Object.assign(globalThis, {
          held,
          setTimeout: (run: () => void, ms?: number) =>
            ms === 200 ? held.push(run) : later(run, ms),
        });
      });
      await page.getByLabel("Search capabilities").fill("merge");
      await page.waitForFunction(() => (Reflect.get(globalThis, "held") as unknown[]).length > 0);
      await link.evaluate((element) => {
        (element as { click: () => void }).click();
        for (const run of Reflect.get(globalThis, "held") as (() => void)[]) run();
      });
      await page.getByRole("heading", { name: "pr.merge" }).waitFor();
    });

    it("the inspector runs a capability with the values of its form", async () => {
      const { page, problems } = await tabAt("#/capabilities/issue.list");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect.poll(() => region(page, "Run it")).toContain("Required.");
      await page.getByLabel("repo").fill("octo/hello");
      await page.getByLabel("state").selectOption({ label: "all" });
      await page.getByLabel("first").fill("2");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect.poll(() => region(page, "Run it")).toContain("The call succeeded.");
      await page.getByRole("link", { name: "See the call" }).click();
      await expect
        .poll(() => page.getByLabel("The request's input").textContent())
        .toMatch(/owner.*octo.*state.*all.*first.*2/u);
      expect(problems).toEqual([]);
    });

    it("the inspector says that a dry run sent nothing", async () => {
      const { page } = await tabAt("#/capabilities/issue.create");
      await page.getByLabel("repo").fill("octo/hello");
      await page.getByLabel("title").fill("Never sent");
      await page.getByRole("button", { name: "Dry run" }).click();
      await expect.poll(() => region(page, "Run it")).toContain("Nothing was sent.");
    });

    it("the inspector shows the error when an upstream refuses a token", async () => {
      const { page } = await tabAt("#/capabilities/odd.refused");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect.poll(() => region(page, "Run it")).toContain("Bad credentials");
    });

    it("the inspector asks the person before it runs a destructive capability", async () => {
      const made = await world.waybill.execute("issue.create", { ...HELLO, title: "Gone soon" });
      const { number } = made.data as { number: number };
      const deleted = (): number => world.github.applied()["deleteIssue"] ?? 0;
      const before = deleted();
      const { page } = await tabAt("#/capabilities/issue.delete");
      await page.getByLabel("repo").fill("octo/hello");
      await page.getByLabel("issueNumber").fill(String(number));
      const run = page.getByRole("button", { name: "Run", exact: true });
      await run.click();
      await page.getByRole("button", { name: "Do not run it" }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Do not run it" }).click();
      expect(deleted()).toBe(before);
      await run.click();
      await page.getByRole("button", { name: "Approve and run" }).click();
      await expect.poll(() => region(page, "Run it")).toContain("The call succeeded.");
      expect(deleted()).toBe(before + 1);
    });

    it("the inspector shows calls that wait for approval and accepts the person's answer", async () => {
      const made = await world.waybill.execute("issue.create", { ...HELLO, title: "Gone later" });
      const { number: issueNumber } = made.data as { number: number };
      const remove = () => world.waybill.execute("issue.delete", { ...HELLO, issueNumber });
      expect((await remove()).error?.code).toBe("POLICY");
      const { page } = await tabAt("#/sources");
      const waiting = () => region(page, "Waiting for your approval");
      await expect.poll(waiting).toContain("issue.delete");
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Allow once" }).click();
      await expect.poll(() => page.getByRole("button", { name: "Allow once" }).count()).toBe(0);
      expect((await remove()).ok).toBe(true);
      expect((await remove()).error?.code).toBe("POLICY");
    });

    it("the inspector shows an envelope of 5 MB with few HTML elements", async () => {
      const { page } = await tabAt("#/capabilities/odd.large");
      await page.getByLabel("bytes").fill("5000000");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect.poll(() => region(page, "Run it")).toContain("The call succeeded.");
      expect(await page.locator("*").count()).toBeLessThan(3_000);
      await page.getByRole("link", { name: "See the call" }).click();
      await expect.poll(() => region(page, "Envelope")).toMatch(/the beginning of \d+(\.\d)? MB/u);
      expect(await page.locator("*").count()).toBeLessThan(3_000);
    });
  });

  it("the inspector's Tokens view groups tokens by client and links each client to its calls", async () => {
    await world.waybill.execute("repo.view", HELLO);
    await world.settle();
    const { page } = await tabAt("#/tokens");
    await page
      .getByRole("region", { name: "By client" })
      .getByRole("link", { name: "Tour" })
      .click();
    await page.getByRole("link", { name: "repo.view" }).first().waitFor();
    expect(page.url()).toMatch(/#\/calls\?via=demo$/u);
  });

  it("the inspector's Calls view groups calls by session and by agent, and links to the calls of a group", async () => {
    await world.waybill.execute("repo.view", HELLO);
    await world.withoutGh.execute("issue.list", HELLO);
    await world.settle();
    const { page, problems } = await tabAt();
    await page.getByLabel("Group").selectOption("session");
    const sessions = page.getByRole("region", { name: "By session" });
    await expect.poll(() => sessions.textContent()).toMatch(/a1b2c3d4MCPclaude-code 2\.1–/u);
    expect(await seriousFindings(page)).toEqual([]);
    await sessions.getByRole("link", { name: "a1b2c3d4" }).click();
    await page.waitForURL(/#\/calls\?session=a1b2c3d4&via=mcp&agent=claude-code\+2\.1$/u);
    await page.getByRole("link", { name: "issue.list" }).first().waitFor();
    const rows = (await page.getByRole("row").allTextContents()).slice(1);
    expect(rows.filter((row) => !row.includes("claude-code 2.1"))).toEqual([]);
    await page.getByLabel("Group").selectOption("client");
    const clients = page.getByRole("region", { name: "By client" });
    await expect
      .poll(() => clients.textContent())
      .toMatch(/MCPclaude-code 2\.1.*Tour–|Tour–.*MCP/u);
    expect(problems).toEqual([]);
  });

  describe("token of the inspector page", () => {
    it("the inspector asks for a missing token and accepts the token that is typed", async () => {
      const tab = await tabFor(`${world.url}/#/sources`);
      await tab.page.getByRole("heading", { name: "This page needs a token" }).waitFor();
      expect(await seriousFindings(tab.page)).toEqual([]);
      await tab.page.getByLabel("Token").fill(world.token);
      await tab.page.getByRole("button", { name: "Open the page" }).click();
      await expect.poll(() => tab.page.locator("h1").textContent()).toBe("Sources");
    });

    it("the inspector refuses a wrong token", async () => {
      const tab = await tabFor(`${world.url}/#token=wrong`);
      await tab.page.getByRole("heading", { name: "does not accept this token" }).waitFor();
      expect(await tab.page.getByRole("table").count()).toBe(0);
    });
  });

  it("the inspector says that its server does not answer, and continues when the server is back", async () => {
    const { page } = await tabAt();
    await world.stopServer();
    await page.getByRole("alert").getByText("The server does not answer").waitFor();
    const { meta } = await world.waybill.execute("repo.view", HELLO, TRACED);
    await world.startServer();
    await page.getByRole("alert").waitFor({ state: "detached" });
    const link = page.locator(`a[href="#/calls/${meta.request_id}"]`);
    await expect.poll(() => link.count()).toBe(1);
  });

  describe.each(["light", "dark"] as const)("inspector in %s colours", (colours) => {
    it("the inspector has no serious accessibility problem on any page", async () => {
      const tab = await tabAt("#/calls", { colours });
      const found = await visitAll(tab, seriousFindings);
      expect(found).toEqual(found.map(([view]) => [view, []]));
    });
  });

  it.each([360, 3_840])(
    "no inspector page scrolls sideways at a width of %i pixels",
    async (width) => {
      const tab = await tabAt("#/calls", { width });
      const found = await visitAll(tab, (page) =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        }),
      );
      expect(found).toEqual(found.map(([view]) => [view, 0]));
    },
  );
});
