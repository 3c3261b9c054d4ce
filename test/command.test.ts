import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { writeTree } from "./support/tree.ts";

const timeout = 120_000;
const bin = "packages/cli/bin";

const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("npx waybill in a clone", () => {
  it(
    "the command of the README runs in any folder of a clone",
    async () => {
      const [, words = ""] = /`npx (waybill [^`]+)`/.exec(read("README.md")) ?? [];
      const { stdout } = await npx(words.split(" "), join(root, "docs"));
      expect(stdout).toContain('"capability_id":"issue.view"');
    },
    timeout,
  );

  it(
    "npx waybill in a clone makes a call and returns its exit code",
    async () => {
      const call = npx(["waybill", "run", "no.such.operation"], root);
      await expect(call).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringContaining('"NOT_FOUND"') as string,
      });
    },
    timeout,
  );
});

describe("waybill.cjs", () => {
  it(
    "waybill.cjs runs the source when there is no build",
    async () => {
      const clone = makeClone();
      rmSync(join(clone, "packages/cli/dist"), { recursive: true });
      expect(await start(clone)).toBe("source: a b");
    },
    timeout,
  );

  it(
    "waybill.cjs runs the build when the build is newer than the source",
    async () => {
      expect(await start(makeClone())).toBe("build: a b");
    },
    timeout,
  );

  it(
    "waybill.cjs runs the source when a file of any package is newer than the build",
    async () => {
      const clone = makeClone();
      age(join(clone, "packages/core/src/index.ts"), -10);
      expect(await start(clone)).toBe("source: a b");
    },
    timeout,
  );

  it(
    "waybill.cjs runs the build in a published package, which has no source",
    async () => {
      const clone = makeClone();
      rmSync(join(clone, bin, "from-source.mjs"));
      age(join(clone, "packages/core/src/index.ts"), -10);
      expect(await start(clone)).toBe("build: a b");
    },
    timeout,
  );
});

/**
 * A small copy of a clone: the real files that start the command, and stubs that print their names.
 */
function makeClone(): string {
  const clone = writeTree({
    "packages/cli/package.json": '{ "type": "module" }',
    "packages/cli/src/main.ts": printing("source"),
    "packages/cli/dist/main.cjs": printing("build"),
    "packages/core/src/index.ts": "",
  });
  cpSync(join(root, bin), join(clone, bin), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"), "junction");
  age(join(clone, "packages/cli/src/main.ts"), 20);
  age(join(clone, "packages/core/src/index.ts"), 20);
  return clone;
}

function age(file: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds;
  utimesSync(file, time, time);
}

async function start(clone: string): Promise<string> {
  const args = [join(clone, bin, "waybill.cjs"), "a", "b"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout });
  return stdout.trim();
}

function npx(words: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return promisify(execFile)("npx", ["--no-install", ...words], { cwd, timeout });
}

function printing(name: string): string {
  return `console.log("${name}:", ...process.argv.slice(2));`;
}
