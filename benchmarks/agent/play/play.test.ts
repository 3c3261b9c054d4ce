import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithProgram } from "../../../test/support/programs.ts";
import { sharedBundle } from "../../../test/support/shared-bundle.ts";
import { readScenarios } from "../scenario/read.ts";
import type { Commands, Mode, Played, Scenario, Variant } from "../types.ts";
import { copyCodeBase } from "./code-base.ts";
import type { CodeBase } from "./code-base.ts";
import { play } from "./play.ts";
import type { Result } from "./play.ts";

const MAIN = await sharedBundle(new URL("../../../packages/cli/src/main.ts", import.meta.url));
const scenarios = new Map(readScenarios().map((scenario) => [scenario.id, scenario]));
let code: CodeBase;
beforeAll(() => {
  code = copyCodeBase();
});
afterAll(() => code.remove());

function getScenario(id: string): Scenario {
  const found = scenarios.get(id);
  if (found === undefined) throw new Error(`There is no scenario ${id}`);
  return found;
}

function run(what: string | Scenario, mode: Mode, variant: Variant = "plain"): Promise<Result> {
  const asked = typeof what === "string" ? getScenario(what) : what;
  return play(asked, mode, variant, { build: { file: MAIN }, code: code.folder });
}

async function played(
  what: string | Scenario,
  mode: Mode,
  variant: Variant = "plain",
): Promise<Played> {
  const result = await run(what, mode, variant);
  if ("absent" in result) throw new Error(result.absent.why);
  return result.played;
}

/** The calls that look up how to call. */
async function lookups(id: string, mode: Mode, variant?: Variant): Promise<(string | undefined)[]> {
  const result = await run(id, mode, variant);
  if ("absent" in result) throw new Error(result.absent.why);
  const { turns } = result.trajectory;
  return turns.filter(({ purpose }) => purpose === "discover").map(({ send }) => send.text);
}

/** A scenario with another script for `gh`. */
function withGh(id: string, change: (commands: Commands) => Partial<Commands>): Scenario {
  const { gh, ...rest } = getScenario(id);
  if (typeof gh === "string") throw new Error(`${id} has no way by gh`);
  return { ...rest, gh: { ...gh, ...change(gh) } };
}

const OTHERS = ["gh-known", "gh-help", "graphql", "github-mcp"] as const;

/**
 * Scenarios of many kinds: pages, parallel requests of gh, faults, a guess, and a recovery from an
 * error.
 */
const HANDFUL: readonly (readonly [string, Variant, readonly Mode[]])[] = [
  ["issue-view", "plain", ["command-indexed", ...OTHERS]],
  ["issue-comments-pages", "plain", ["mcp-lean", "gh-known", "graphql", "github-mcp"]],
  ["chain-issue-and-comment", "fault", ["mcp-indexed"]],
  ["chain-triage", "fault", OTHERS],
  ["release-assets", "fault", ["gh-known", "github-mcp"]],
  ["issue-create", "guess", ["gh-known", "graphql"]],
  ["branch-list", "plain", ["command-lean"]],
  ["error-label-missing", "plain", OTHERS],
];

describeWithProgram("gh", () => {
  it.each(HANDFUL)(
    "two plays of %s (%s) have equal numbers in each mode",
    async (id, variant, modes) => {
      for (const mode of modes) {
        // Each play has its own GitHub and mostly waits for programs, so plays run in parallel.
        const both = [run(id, mode, variant), run(id, mode, variant)] as const;
        const [first, second] = await Promise.all(both);
        expect(first).toMatchObject({ played: { mode, variant, passed: true } });
        expect(second).toEqual(first);
      }
    },
  );

  it("the benchmark says why a mode cannot play a scenario", async () => {
    expect(await run("issue-view", "grep")).toMatchObject({
      absent: { why: "not a question about code" },
    });
    expect(await run("issue-view", "github-mcp", "guess")).toMatchObject({
      absent: { why: "its refusals are not published" },
    });
  });

  it.each<Mode>(["mcp-lean", "gh-known", "graphql", "github-mcp"])(
    "a play in the mode %s applies a write once when its response is lost, and counts the extra reads",
    async (mode) => {
      const [plain, lost] = [
        await played("issue-create", mode),
        await played("issue-create", mode, "fault"),
      ];
      expect([lost.passed, lost.applied, lost.doubled]).toEqual([true, 1, undefined]);
      expect(lost.calls).toBeGreaterThan(plain.calls);
    },
  );

  it.each<Mode>(["gh-help", "graphql", "graphql-fields"])(
    "a play in the mode %s reads the help for checking a write only when the response is lost",
    async (mode) => {
      const plain = await lookups("issue-create", mode);
      const lost = await lookups("issue-create", mode, "fault");
      expect(lost.slice(0, plain.length)).toEqual(plain);
      expect(lost.length).toBeGreaterThan(plain.length);
    },
  );

  it("a play looks up the inputs of a code question when no tool definition shows them", async () => {
    expect(await lookups("code-imports", "mcp-lean")).toEqual([]);
    const [first] = await lookups("code-imports", "command-lean");
    expect(first).toBe("waybill graph --help");
  });

  it("a play with a wrong guess counts the extra call", async () => {
    const [plain, guessed] = [
      await played("issue-view", "graphql"),
      await played("issue-view", "graphql", "guess"),
    ];
    expect([guessed.passed, guessed.calls]).toEqual([true, plain.calls + 1]);
  });

  it("a play fails if it sends a write a second time because it did not notice its first write", async () => {
    const careless = withGh("issue-comment", () => ({ seen: "contains(@, 'Something else')" }));
    expect(await played(careless, "gh-known", "fault")).toMatchObject({
      passed: false,
      doubled: 1,
    });
  });

  it("a play without a fault fails if it writes twice", async () => {
    const twice = withGh("issue-comment", ({ run: [line = ""] }) => ({ run: [line, line] }));
    expect(await played(twice, "gh-known")).toMatchObject({
      passed: false,
      reason: "addComment was applied 2 times instead of 1",
    });
  });

  it("a play that sends no request that the planned fault applies to is left out", async () => {
    // gh reports that the two branches conflict, and no write is sent.
    expect(await run("error-conflict", "gh-known", "fault")).toMatchObject({
      absent: { why: expect.stringContaining("no fault met") as string },
    });
  });

  it("a play fails if its answer differs from the state of GitHub", async () => {
    const oracle = { state: 'hello.issues."2".{title:title,state:state,labels:labels}' };
    const wrong = await played({ ...getScenario("issue-view"), oracle }, "gh-known");
    expect(wrong.passed).toBe(false);
  });
});
