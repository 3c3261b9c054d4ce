import { readFileSync } from "node:fs";
import { startGithubEmulator } from "@waybill/github/emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { shellWords } from "../fixtures/shell-words.ts";
import { makeWorld } from "../fixtures/world.ts";

const PAGE = new URL("../../../../docs/guides/github-tasks.md", import.meta.url);

/** The commands of each task, by the title of the task. */
const tasks = readFileSync(PAGE, "utf8")
  .split("\n## ")
  .slice(1)
  .map((section) => {
    const lines = section.split("\n");
    return [lines[0]!, lines.filter((line) => line.startsWith("waybill "))] as const;
  });

describe("docs/guides/github-tasks.md", () => {
  it("docs/guides/github-tasks.md has six tasks", () => {
    expect(tasks).toHaveLength(6);
  });

  it.each(tasks)(
    "the commands of this task in docs/guides/github-tasks.md succeed: %s",
    async (_title, commands) => {
      const world = await makeWorld(onTestFinished);
      const github = await startGithubEmulator();
      onTestFinished(() => github.close());
      for (const command of commands) {
        const env = { ...world.env, WAYBILL_GITHUB: github.env };
        const { code, stdout } = await world.run(shellWords(command).slice(1), { env });
        expect({ command, code, stdout }).toEqual({ command, code: 0, stdout });
      }
    },
  );
});
