#!/usr/bin/env node
// @ts-check
// Copied into the folder of a trial: runs one call of the reader (the person or model under test),
// prints its output, and logs it.
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The longest output in characters. Longer output is cut, as agents do. */
const SHOWN_BYTES = 30_000;
const MOST_MS = 180_000;

const root = dirname(fileURLToPath(import.meta.url));
const { door, env } = /** @type {{ door: string, env: Record<string, string> }} */ (
  JSON.parse(readFileSync(join(root, "do.json"), "utf8"))
);
const [task = "", ...words] = process.argv.slice(2);

/** @param {string} text */
function leave(text) {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

/** @param {string} name @param {unknown} args @returns {Promise<string>} */
function callTool(name, args) {
  const options = { socketPath: join(root, "control.sock"), path: "/tool", method: "POST" };
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      answer.once("end", () => resolve(text));
    });
    sent.once("error", reject);
    sent.end(JSON.stringify({ name, args }));
  });
}

/** @param {string} name @param {string} text @returns {unknown} */
function readArguments(name, text) {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return leave(`The arguments of ${name} must be JSON`);
  }
}

/** @param {string} given */
async function runTool(given) {
  const [name = ""] = words;
  const text = words[1] ?? given;
  const isProgram = name === "code" && !text.trimStart().startsWith("{");
  const output = await callTool(name, isProgram ? { code: text } : readArguments(name, text));
  return { line: `${name} ${text}`, output: `${output}\n`, exitCode: 0 };
}

/** @param {string} given */
function runShell(given) {
  const line = words.length > 0 ? words.join(" ") : given;
  const path = `${join(root, "bin")}:${env.PATH}`;
  const ran = spawnSync("bash", ["-c", `exec 2>&1\n${line}`], {
    cwd: join(root, "work"),
    env: { ...env, PATH: path, TRIAL_TASK: task },
    encoding: "utf8",
    timeout: MOST_MS,
    maxBuffer: 1e8,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { line, output: `${ran.stdout}${ran.stderr}`, exitCode: ran.status };
}

if (!/^\d+$/.test(task)) leave("Usage: ./do TASK … : begin with the number of the task");
const given = words.length > (door === "mcp" ? 1 : 0) ? "" : readFileSync(0, "utf8");
const started = Date.now();
const { line, output, exitCode } = door === "mcp" ? await runTool(given) : runShell(given);
const bytes = Buffer.from(output);
const isCut = bytes.length > SHOWN_BYTES;
const shown = isCut ? `${bytes.subarray(0, SHOWN_BYTES).toString()}\n[cut]\n` : output;
process.stdout.write(shown);
const entry = {
  kind: "call",
  task: Number(task),
  sent: Buffer.byteLength(line),
  read: Buffer.byteLength(shown),
  exitCode,
  ms: Date.now() - started,
  line,
  output: shown,
};
appendFileSync(join(root, "log.jsonl"), `${JSON.stringify(entry)}\n`);
