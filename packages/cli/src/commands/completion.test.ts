import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "../command-table/index.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

/** Prints the completions that bash offers for the last of these words. */
const ASK = `
eval "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_waybill
printf '%s\\n' "\${COMPREPLY[@]}"
`;

const FAKE = `#!/bin/sh
[ "$1 $2 $3" = "capabilities list --brief" ] && printf 'issue.view View an issue\\nissue.list List\\npr.view View\\n'
`;

async function complete(...words: string[]): Promise<string[]> {
  const world = await makeWorld(onTestFinished);
  await world.write("bin/waybill", FAKE, 0o755);
  const { stdout: script } = await world.run(["completion", "bash"]);
  const env = { PATH: `${world.env["PATH"]}:${process.env["PATH"]}`, SCRIPT: script };
  const argv = ["-c", ASK, "bash", "waybill", ...words];
  const said = execFileSync("bash", argv, { env, encoding: "utf8" });
  return said.split("\n").filter((line) => line !== "");
}

describe("waybill completion bash", () => {
  it.each([
    [["ca"], ["capabilities"]],
    [["--v"], ["--version"]],
    [
      ["capabilities", ""],
      ["list", "explain", "search"],
    ],
    [["capabilities", "ex"], ["explain"]],
    [
      ["capabilities", "list", "--"],
      ["--brief", "--domain", "--json", "--help", "--wait-ms"],
    ],
    [
      ["run", "issue."],
      ["issue.view", "issue.list"],
    ],
    [["capabilities", "explain", "pr"], ["pr.view"]],
    [["run", "issue.view", "--max"], ["--max-tokens"]],
    [["graph", "wa"], ["watch"]],
    [
      ["graph", "--pre"],
      ["--prefix", "--pretty"],
    ],
    [["graph", "export", "--for"], ["--format"]],
    [
      ["chain", "--on-error", ""],
      ["stop", "continue"],
    ],
    [["run", "issue.view", "issue."], []],
    [["run", "--input", ""], []],
  ])("the bash completion of %j offers %j", async (words, offered) => {
    expect((await complete(...words)).toSorted()).toEqual([...offered].toSorted());
  });
});

describe("waybill completion", () => {
  it.each(["bash", "zsh", "fish"])(
    "the %s completion script contains every command and option",
    async (shell) => {
      const world = await makeWorld(onTestFinished);
      const { code, stdout } = await world.run(["completion", shell]);
      expect(code).toBe(0);
      for (const { name, options } of COMMANDS) {
        for (const word of name.split(" ")) expect(stdout).toContain(word);
        for (const option of Object.keys(options))
          expect(stdout).toMatch(new RegExp(`-l? ?${option}`));
      }
    },
  );

  it.each(["bash", "zsh", "fish"])(
    "the %s completion script has valid syntax for its shell",
    async (shell) => {
      const world = await makeWorld(onTestFinished);
      const { stdout } = await world.run(["completion", shell]);
      const read = spawnSync(shell, ["-n"], { input: stdout, encoding: "utf8" });
      const isThere = read.error === undefined;
      // The test is skipped for shells that are not installed.
      expect(isThere ? [read.status, read.stderr] : [0, ""]).toEqual([0, ""]);
    },
  );

  it.each([
    [["completion"], "needs one of bash, zsh, fish"],
    [["completion", "fsh"], "did you mean fish?"],
  ])("waybill %j says that a shell must be named", async (argv, message) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(argv);
    expect([ended.code, jsonOf(ended).error.message]).toEqual([
      2,
      expect.stringContaining(message),
    ]);
  });
});
