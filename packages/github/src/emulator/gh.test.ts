import { describe, expect, it } from "vitest";
import { exchangeProblems } from "./fixtures/described.ts";
import { GH_COMMANDS, NEWER_GH_COMMANDS } from "./fixtures/gh-commands.ts";
import { isAtLeast, runGh, versionOf } from "./fixtures/run-gh.ts";
import type { GhEnd } from "./fixtures/run-gh.ts";
import type { Exchange } from "./index.ts";

/** Starting `gh` is slow, so by default only some commands are tried. */
const isFull = process.env["WAYBILL_PARITY"] === "full";
const SHARE = 12;

/** An environment variable can name another version of `gh`; Debian 13 has 2.46. */
const PROGRAMS = ["gh", process.env["WAYBILL_OTHER_GH"]].filter((one) => one !== undefined);

function commandsFor(version: string): readonly string[] {
  const all = isAtLeast(version, 46) ? [...GH_COMMANDS, ...NEWER_GH_COMMANDS] : GH_COMMANDS;
  return isFull ? all : all.filter((_one, index) => index % SHARE === 0);
}

describe.each(PROGRAMS.map((program) => [program, versionOf(program)] as const))(
  "%s %s works with the embedded GitHub",
  (program, version) => {
    const ends: GhEnd[] = [];
    const exchanges: Exchange[] = [];
    it.skipIf(version === "").each(commandsFor(version))(
      "the GitHub emulator answers the command gh %s as GitHub does",
      async (command) => {
        const ended = await runGh(command, program, (exchange) => void exchanges.push(exchange));
        ends.push(ended);
        expect(ended).toMatchObject({ end: expect.stringMatching(/ok|unserved/) as string });
      },
    );

    it.runIf(isFull)(
      "the GitHub emulator answers at least 230 of 260 gh commands",
      async ({ annotate }) => {
        const served = ends.filter(({ end }) => end === "ok").length;
        await annotate(`${served} of ${ends.length} commands are served`);
        expect(served / ends.length).toBeGreaterThan(230 / 260);
      },
    );

    it("the GitHub emulator sends gh no response that violates GitHub's OpenAPI description", () => {
      const rest = exchanges.filter(({ kind, status }) => kind === "rest" && status < 400);
      const problems = rest.flatMap((one) => exchangeProblems(one).answer);
      expect(new Set(problems)).toEqual(new Set());
    });
  },
);
