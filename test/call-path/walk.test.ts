import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGithubEmulator } from "@waybill/github/emulator";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../scripts/run.mjs";
import { traceCommand, traceLocalCall } from "./trace.ts";
import type { Trace } from "./trace.ts";

const timeout = 120_000;
const [, command = "", local = ""] = readFileSync(
  join(root, "docs/concepts/walk.md"),
  "utf8",
).split("\n## ");

/** The first two columns of a table: a file, and names of functions. */
function rows(text: string): (readonly [file: string, names: readonly string[]])[] {
  return [...text.matchAll(/^\| `(?<file>[^`]+\.ts)` +\| (?<names>[^|]+)/gmu)].map(({ groups }) => [
    groups!["file"]!,
    [...groups!["names"]!.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) => name),
  ]);
}

function missingFrom(trace: Trace): string[] {
  return rows(command).flatMap(([file, names]) =>
    names
      .filter((name) => trace.get(file)?.includes(name) !== true)
      .map((name) => `${file} ${name}`),
  );
}

it(
  "docs/concepts/walk.md names only functions that the command runs",
  async () => {
    const github = await startGithubEmulator();
    const home = mkdtempSync(join(tmpdir(), "waybill-walk-"));
    onTestFinished(async () => {
      await github.close();
      rmSync(home, { recursive: true, force: true });
    });
    const { PATH } = process.env;
    const env = { PATH, HOME: home, WAYBILL_GITHUB: github.env };
    const words = ["run", "issue.view", "owner=octo", "name=hello", "number=3"];
    const trace = await traceCommand(words, env, join(home, "v8"));
    expect(rows(command).length).toBeGreaterThan(25);
    expect(missingFrom(trace)).toEqual([]);
  },
  timeout,
);

it(
  "docs/concepts/walk.md names every function of a local call",
  async () => {
    const shown = Object.fromEntries(rows(local).map(([file, names]) => [file, names.toSorted()]));
    const trace = await traceLocalCall();
    const ran = Object.fromEntries([...trace].map(([file, names]) => [file, names.toSorted()]));
    expect(shown).toEqual(ran);
    expect(trace.size).toBeLessThanOrEqual(12);
    expect([...trace.values()].flat().length).toBeLessThanOrEqual(35);
  },
  timeout,
);
