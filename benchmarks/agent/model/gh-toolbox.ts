import { runProgram } from "@waybill/adapters/command";
import type { Environment } from "@waybill/adapters/command";
import { isRecord } from "@waybill/core/schema";
import { toolFor } from "./toolbox.ts";
import type { FormatName, Toolbox } from "./toolbox.ts";

/** The longest output in characters. Longer output is cut, as agents do. */
const SHOWN_BYTES = 100_000;
const MAX_BYTES = 20_000_000;
const MAX_MS = 30_000;
const MAX_ARGS = 100;

/** Commands that read or change GitHub. The others sign in, set up, or run local programs. */
const COMMANDS: ReadonlySet<string> = new Set(
  "api gist help issue label org pr project release repo run search status version workflow".split(
    " ",
  ),
);

const SYSTEM =
  "The GitHub CLI `gh` is installed and signed in; no repository is checked out, so name it with -R. It has help for every command.";
const DESCRIPTION = "Run the GitHub CLI without a shell and read what it prints";
const SCHEMA = {
  type: "object",
  properties: {
    args: {
      type: "array",
      items: { type: "string" },
      description: 'Words after `gh`, such as ["issue","list","--json","title"]',
    },
  },
  required: ["args"],
};

function argsIn(input: unknown): string[] | undefined {
  const value: unknown = typeof input === "string" ? parseArguments(input) : input;
  const args = isRecord(value) ? value["args"] : undefined;
  const isGood = Array.isArray(args) && args.every((arg) => typeof arg === "string");
  return isGood && args.length <= MAX_ARGS ? args : undefined;
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isAllowed(args: readonly string[]): boolean {
  const [first = "help"] = args;
  return COMMANDS.has(first) || first === "--help" || first === "--version";
}

function refused(text: string): { text: string; isError: boolean } {
  return { text, isError: true };
}

/** Any exit is an answer, and so is a failed start or a timeout. */
async function runGh(argv: string[], cwd: string, env: Environment, signal: AbortSignal) {
  try {
    const deadline = Date.now() + MAX_MS;
    const limits = { maxOutputBytes: SHOWN_BYTES, hardLimitBytes: MAX_BYTES };
    const ran = await runProgram({ program: "gh", argv, cwd, env, signal, deadline, ...limits });
    await ran.rest?.close();
    const cut = ran.truncated ? `[cut after ${SHOWN_BYTES} bytes]` : "";
    const texts = [new TextDecoder().decode(ran.stdout), cut, ran.stderr];
    return { text: texts.filter((text) => text !== "").join("\n"), isError: ran.exitCode !== 0 };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

/** The real `gh` as one tool. `env` connects it to the embedded GitHub. */
export function ghToolbox(format: FormatName, cwd: string, env: Environment): Toolbox {
  const tool = { name: "gh", description: DESCRIPTION, schema: SCHEMA };
  return {
    system: SYSTEM,
    tools: [toolFor(format, tool)],
    async run(name, input, signal) {
      if (name !== "gh") return refused(`There is no tool ${name.slice(0, 100)}; there is gh`);
      const args = argsIn(input);
      if (args === undefined) return refused("args must be a list of strings");
      if (!isAllowed(args)) return refused(`gh ${args[0]} is not available here`);
      return runGh(args, cwd, env, signal);
    },
  };
}
