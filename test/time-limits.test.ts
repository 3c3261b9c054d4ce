import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../scripts/run.mjs";

/** Limits of at least this length are allowed, because only something that hangs reaches them. */
const POLL_MS = 60_000;

const files = ["packages", "test", "benchmarks"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .filter((file) => !import.meta.filename.endsWith(file)),
);

/** Matches the part of a test's line that makes its result depend on the machine's speed. */
function hasteIn(line: string): string | undefined {
  if (/\bvi\.wait(?:For|Until)\(/u.test(line)) return "gives up after a second: use expect.poll";
  const option = /\btimeout: ([\d_]+)\b/u.exec(line)?.[1];
  if (option !== undefined && numberIn(option) < POLL_MS) return `waits only ${option} ms`;
  if (/\btestTimeout: /u.test(line)) return "changes the limit of all its tests";
  const own = /^\s*\}, ?([\d_]+|[A-Z_]+),?\);$/u.exec(line)?.[1];
  return own === undefined ? undefined : `has a limit of its own, ${own}`;
}

function numberIn(digits: string): number {
  return Number(digits.replaceAll("_", ""));
}

it("no test sets its own time limit instead of the limit in vitest.config.ts", () => {
  const hasty = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      // The formatter puts the time limit of a long test on its own line.
      .replaceAll(/\},\n\s*([\d_]+|[A-Z_]+),\n\s*\);/gu, "}, $1);")
      .split("\n")
      .flatMap((line, index) => {
        const haste = hasteIn(line);
        return haste === undefined ? [] : [`${file}:${index + 1} ${haste}`];
      }),
  );
  expect(hasty).toEqual([]);
});

it.each([
  ["  await vi.waitFor(() => expect(seen).toBe(1));", true],
  ["  await expect.poll(look, { timeout: 5_000 }).toBe(1);", true],
  ["  }, 60_000);", true],
  ["  }, SLOW);", true],
  ["vi.setConfig({ testTimeout: 60_000 });", true],
  ["  await expect.poll(look).toBe(1);", false],
  ["  const options = { timeout: 60_000 };", false],
  ["  });", false],
])(
  "the check of time limits tells whether a line sets a time limit for one test: %j is %s",
  (line, isHasty) => {
    expect(hasteIn(line) !== undefined).toBe(isHasty);
  },
);
