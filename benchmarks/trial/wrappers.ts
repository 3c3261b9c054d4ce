import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { trialEnvironment } from "./environment.ts";
import type { DoorName, TrialFolder } from "./folder.ts";

function program(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** Runs a program and logs it with its task, exit code and number of printed bytes. */
function logged(folder: TrialFolder, name: string, command: string): string {
  return `#!/bin/bash
out=$(mktemp) err=$(mktemp)
PATH='${process.env["PATH"] ?? ""}' ${command} "$@" >"$out" 2>"$err"
code=$?
cat "$out"; cat "$err" >&2
bytes=$(cat "$out" "$err" | wc -c)
rm -f "$out" "$err"
printf '{"kind":"program","name":"${name}","task":%s,"exitCode":%s,"read":%s}\\n' "$TRIAL_TASK" "$code" "$bytes" >>'${folder.log}'
exit $code
`;
}

function refusedScript(name: string): string {
  return `#!/bin/sh\necho '${name} is not part of this trial' >&2\nexit 127\n`;
}

const ANSWER = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const [task = "", ...words] = process.argv.slice(2);
if (!/^\\d+$/.test(task)) throw new Error("Usage: ./answer TASK text");
appendFileSync(__dirname + "/answers.jsonl", JSON.stringify({ task: Number(task), text: words.join(" ") }) + "\\n");
`;

/** Writes all programs of a reader to its folder. */
export function writeWrappers(
  folder: TrialFolder,
  door: DoorName,
  { waybill, gh }: { readonly waybill: string; readonly gh: string },
): void {
  const { root, github } = folder;
  for (const name of ["bin", "home/gh", "tmp", "work"]) {
    mkdirSync(join(root, name), { recursive: true });
  }
  writeFileSync(join(root, "home/gh/config.yml"), `http_unix_socket: ${github}\n`);
  const command = `'${process.execPath}' '${waybill}'`;
  const other = door === "gh" ? logged(folder, "gh", gh) : refusedScript("gh");
  const own = door === "command" ? logged(folder, "waybill", command) : refusedScript("waybill");
  program(join(root, "bin/gh"), other);
  program(join(root, "bin/waybill"), own);
  const copied = join(root, "do");
  copyFileSync(fileURLToPath(new URL("do.mjs", import.meta.url)), `${copied}.mjs`);
  program(copied, `#!/bin/sh\nexec '${process.execPath}' '${copied}.mjs' "$@"\n`);
  program(join(root, "answer.cjs"), ANSWER);
  program(
    join(root, "answer"),
    `#!/bin/sh\nexec '${process.execPath}' '${root}/answer.cjs' "$@"\n`,
  );
  writeFileSync(join(root, "do.json"), JSON.stringify({ door, env: trialEnvironment(folder) }));
}
