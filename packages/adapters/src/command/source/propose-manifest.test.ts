import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWaybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandSource, proposeManifest } from "../index.ts";
import { commandsIn, helpOptions } from "./help-text.ts";

const SCRIPT = `#!/bin/sh
case "$1 $2" in
"--help ") cat <<'HELP'
usage: tally [-h | --help] <command>

   list      List the entries
   add       Add an entry
   clean     Remove all entries
   help      Show this help
HELP
;;
"list --help") cat <<'HELP'
Options:
  -n, --max-count <number>  Show so many
      --reverse             The oldest first
  -h, --help                Show this help
HELP
;;
"add -h") echo "    --note=<text>   a note" >&2; exit 129 ;;
"list "*) echo "one" ;;
*) echo "ran $*" >> "$(dirname "$0")/ran" ;;
esac
`;

function makeProgram(): { folder: string; program: string } {
  const folder = mkdtempSync(join(tmpdir(), "waybill-propose-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "tally");
  writeFileSync(program, SCRIPT, { mode: 0o755 });
  return { folder, program };
}

const env = { PATH: process.env["PATH"] };

describe("proposeManifest", () => {
  it("proposeManifest guesses an operation for each subcommand, with its options and effect", async () => {
    const { program } = makeProgram();
    const { operations } = await proposeManifest(program, env);
    expect(Object.keys(operations)).toEqual(["list", "add", "clean"]);
    expect(Object.values(operations).map(({ effect }) => effect)).toEqual([
      "read",
      "write",
      "destructive",
    ]);
    expect(operations["list"]).toMatchObject({
      guess: true,
      description: "List the entries",
      argv: ["list", "--max-count={max_count}", "--reverse{reverse?}", "{args...}"],
      input: { max_count: { type: "string", description: "Show so many" } },
    });
    expect(operations["add"]!.argv).toEqual(["add", "--note={note}", "{args...}"]);
  });

  it("proposeManifest returns NOT_FOUND for a program that does not exist", async () => {
    await expect(proposeManifest("no-such-program", env)).rejects.toMatchObject({
      details: { code: "NOT_FOUND" },
    });
  });

  it("proposeManifest returns VALIDATION for a program without subcommands", async () => {
    await expect(proposeManifest(process.execPath, { ...env, NODE_OPTIONS: "" })).rejects.toThrow(
      /lists no subcommands/u,
    );
  });
});

describe("guessed operations", () => {
  it("an operation that proposeManifest guessed cannot be called until a person confirms its effect", async () => {
    const { program } = makeProgram();
    const manifest = await proposeManifest(program, env);
    const call = async (given: unknown) => {
      const waybill = createWaybill({
        sources: [commandSource({ name: "tally", manifest: given, env })],
      });
      onTestFinished(() => waybill.close());
      return waybill.execute("tally.list", { reverse: true });
    };
    const refused = await call(manifest);
    expect(refused.error).toMatchObject({ code: "POLICY" });
    expect(refused.error?.message).toContain('remove "guess: true"');
    const { guess: _guess, ...list } = manifest.operations["list"]!;
    expect((await call({ ...manifest, operations: { list } })).data).toBe("one\n");
  });
});

describe("reading help text", () => {
  it("proposeManifest finds subcommands in help text in the format of gh", () => {
    const text =
      "CORE COMMANDS\n  auth:        Authenticate\n  pr:          Manage pull requests\n";
    expect(commandsIn(text)).toEqual([
      { name: "auth", about: "Authenticate" },
      { name: "pr", about: "Manage pull requests" },
    ]);
  });

  it("proposeManifest finds options whose description is on the next line of the help text", () => {
    const text = "    --decorate-refs <pattern>\n                          only these refs\n";
    expect(helpOptions(text)).toEqual([
      { name: "decorate-refs", hasValue: true, about: "only these refs" },
    ]);
  });

  it("proposeManifest finds no subcommands or options in sentences and examples of the help text", () => {
    expect(commandsIn("Use --help  for more\nA sentence.  Another one.")).toEqual([]);
    expect(helpOptions("see --porcelain for scripts")).toEqual([]);
  });
});
