import { briefToolText } from "@waybill/core/protocol";
import {
  GRAPH_TOOLS,
  createErrorEnvelope,
  getWorkspaceContext,
  openGraphTools,
} from "@waybill/codegraph";
import type { GraphProgress } from "@waybill/codegraph";
import type { ToolEnvelope } from "@waybill/core";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { printRaw } from "../io.ts";
import type { Io } from "../io.ts";
import { printAnswer } from "../output/print-answer.ts";
import { ProgressLine } from "../output/progress.ts";
import { UsageError, isUsageError, unknownWord } from "../words/usage-error.ts";
import { permittedTools } from "./graph-policy.ts";
import { codeBaseOptions } from "./graph-root.ts";
import { readParams } from "./run-params.ts";

/** The name of the tool without the prefix `graph_`. */
function plainName(word: string): string {
  return word.replaceAll("-", "_").replace(/^(?:\w*_)?graph_/u, "");
}

function isTool(name: string): boolean {
  return GRAPH_TOOLS.some((tool) => tool === name);
}

async function readTool(word: string | undefined): Promise<string> {
  const hint = `The tools are ${GRAPH_TOOLS.join(", ")}; and watch, export`;
  if (word === undefined) throw new UsageError("waybill graph needs the name of a tool", { hint });
  const name = plainName(word);
  if (isTool(name)) return name;
  throw await unknownWord(`waybill graph has no tool ${word}`, name, GRAPH_TOOLS, hint);
}

function prefixIn({ values }: Words): string {
  return values.get("prefix") ?? "";
}

/** Turns a mistake on the command line into the envelope that the tool would return. */
function usageEnvelope(words: Words, word: string, error: UsageError, root: string): ToolEnvelope {
  const name = plainName(word);
  const [tool, code] = isTool(name)
    ? ([`${prefixIn(words)}graph_${name}`, "INVALID_INPUT"] as const)
    : ([word, "NOT_FOUND"] as const);
  const details = { ...error.details };
  return createErrorEnvelope(tool, code, error.message, getWorkspaceContext(root), details);
}

export const run: RunCommand = async (words, io) => {
  try {
    return await askTool(words, io);
  } catch (error) {
    const [word] = words.positionals;
    // On a terminal, the error is printed as a sentence, as for other commands.
    if (!isUsageError(error) || word === undefined || io.isTTY) throw error;
    const envelope = usageEnvelope(words, word, error, io.cwd);
    await printTool(words, io, envelope);
    return EXIT.usage;
  }
};

async function printTool(words: Words, io: Io, envelope: ToolEnvelope): Promise<void> {
  if (words.switches.has("brief")) await printRaw(io, briefToolText(envelope));
  else await printAnswer(io, envelope, words.switches.has("pretty"));
}

async function askTool(words: Words, io: Io): Promise<ExitCode> {
  const [word, ...pairs] = words.positionals;
  const tool = await readTool(word);
  if (!(await permittedTools(io))(`graph_${tool}`)) {
    const hint = 'Allow it under "policy" in the configuration';
    throw new UsageError(`The policy does not allow graph.${tool}`, { hint });
  }
  const since = words.values.get("since");
  const given = since === undefined ? pairs : [...pairs, `since=${since}`];
  const args = await readParams(words, "args", given, io, `graph.${tool}`);
  const prefix = prefixIn(words);
  const line = new ProgressLine(io);
  const onProgress = ({ phase, done, total }: GraphProgress): void =>
    line.show(`Reading ${phase}: ${done} of ${total} files`);
  const tools = openGraphTools({ ...codeBaseOptions(words, io), prefix, onProgress });
  try {
    const signal = io.signal === undefined ? {} : { signal: io.signal };
    const envelope = await tools.call(`${prefix}graph_${tool}`, args, signal);
    line.clear();
    await printTool(words, io, envelope);
    return envelope.success ? EXIT.ok : EXIT.failed;
  } finally {
    line.clear();
    await tools.close();
  }
}
