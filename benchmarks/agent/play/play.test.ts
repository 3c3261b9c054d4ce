import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithProgram } from "../../../test/support/programs.ts";
import { readScenarios } from "../scenario/read.ts";
import { modes } from "../types.ts";
import type { Mode, Played, Variant } from "../types.ts";
import { copyCodeBase } from "./code-base.ts";
import type { CodeBase } from "./code-base.ts";
import { play } from "./play.ts";
import type { Result } from "./play.ts";

/** The command starts from source here, many times. */
const SLOW = 240_000;
const scenarios = new Map(readScenarios().map((scenario) => [scenario.id, scenario]));
let code: CodeBase;
beforeAll(() => {
  code = copyCodeBase();
});
afterAll(() => code.remove());

function run(id: string, mode: Mode, variant: Variant = "plain"): Promise<Result> {
  const scenario = scenarios.get(id);
  if (scenario === undefined) throw new Error(`There is no scenario ${id}`);
  return play(scenario, mode, variant, { build: "source", code: code.folder });
}

async function played(id: string, mode: Mode, variant?: Variant): Promise<Played> {
  const result = await run(id, mode, variant);
  if ("absent" in result) throw new Error(result.absent.why);
  return result.played;
}

/** What was asked to find out how to call. */
async function lookups(id: string, mode: Mode, variant?: Variant): Promise<(string | undefined)[]> {
  const result = await run(id, mode, variant);
  if ("absent" in result) throw new Error(result.absent.why);
  const { turns } = result.trajectory;
  return turns.filter(({ purpose }) => purpose === "discover").map(({ send }) => send.text);
}

describeWithProgram("gh", () => {
  it(
    "plays a scenario in every mode that has a way, and gives the same numbers and texts again",
    async () => {
      for (const mode of modes.filter((each) => each !== "grep")) {
        const [first, second] = [await run("issue-view", mode), await run("issue-view", mode)];
        expect(second).toEqual(first);
        expect(first).toMatchObject({ played: { mode, passed: true } });
      }
    },
    SLOW,
  );

  it(
    "says why a mode has no way",
    async () => {
      const { absent } = (await run("issue-view", "grep")) as { absent: { why: string } };
      expect(absent.why).toBe("not a question about code");
    },
    SLOW,
  );

  it.each<Mode>(["command-lean", "gh-known", "graphql", "github-mcp"])(
    "applies a write once in %s when its answer gets lost, and pays for looking",
    async (mode) => {
      const [plain, lost] = [
        await played("issue-create", mode),
        await played("issue-create", mode, "fault"),
      ];
      expect([lost.passed, lost.applied]).toEqual([true, 1]);
      expect(lost.calls).toBeGreaterThan(plain.calls);
    },
    SLOW,
  );

  it.each<Mode>(["gh-help", "graphql", "graphql-fields"])(
    "reads in %s what it takes to look only when it looks",
    async (mode) => {
      const plain = await lookups("issue-create", mode);
      const lost = await lookups("issue-create", mode, "fault");
      expect(lost.slice(0, plain.length)).toEqual(plain);
      expect(lost.length).toBeGreaterThan(plain.length);
    },
    SLOW,
  );

  it(
    "looks up the inputs of a question about code where no definition tells them",
    async () => {
      expect(await lookups("code-imports", "mcp-lean")).toEqual([]);
      const [first] = await lookups("code-imports", "command-lean");
      expect(first).toBe("waybill graph --help");
    },
    SLOW,
  );

  it(
    "counts what a wrong guess costs",
    async () => {
      const guessed = await played("issue-view", "command-indexed", "guess");
      expect([guessed.passed, guessed.calls]).toEqual([true, 2]);
    },
    SLOW,
  );

  it(
    "does not pass an answer that is not the store's",
    async () => {
      const scenario = scenarios.get("issue-view");
      if (scenario === undefined) throw new Error("There is no issue-view");
      const oracle = { state: 'hello.issues."2".{title:title,state:state,labels:labels}' };
      const options = { build: "source", code: code.folder } as const;
      const result = await play({ ...scenario, oracle }, "gh-known", "plain", options);
      expect(result).toMatchObject({ played: { passed: false } });
    },
    SLOW,
  );
});
