import { readFileSync } from "node:fs";
import { startGithubEmulator } from "@waybill/github/emulator";
import { expect, it, onTestFinished } from "vitest";
import { shellWords } from "../fixtures/shell-words.ts";
import { makeWorld } from "../fixtures/world.ts";

const PAGE = new URL("../../../../docs/guides/migrate.md", import.meta.url);

/** The commands in the last column of each table whose first column has the old call. */
const commands = [...readFileSync(PAGE, "utf8").matchAll(/\| `(waybill [^`]+)` +\|$/gmu)].map(
  ([, command]) => command!,
);

it("the commands that docs/guides/migrate.md shows succeed on GitHub", async () => {
  expect(commands.length).toBeGreaterThan(20);
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  for (const command of commands) {
    const { code, stdout } = await world.run(shellWords(command).slice(1), { env });
    expect({ command, code, stdout }).toEqual({ command, code: 0, stdout });
  }
});
