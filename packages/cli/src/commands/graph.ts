import { briefToolText } from "@waybill/core/protocol";
import { GRAPH_TOOLS, openGraphTools } from "@waybill/codegraph";
import type { GraphProgress } from "@waybill/codegraph";
import type { RunCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printRaw } from "../io.ts";
import { printAnswer } from "../print-answer.ts";
import { ProgressLine } from "../progress.ts";
import { UsageError, unknownWord } from "../usage-error.ts";
import { permittedTools } from "./graph-policy.ts";
import { codeOf } from "./graph-root.ts";
import { readParams } from "./run-params.ts";

async function toolOf(word: string | undefined): Promise<string> {
  const hint = `The tools are ${GRAPH_TOOLS.join(", ")}; and watch, export`;
  if (word === undefined) throw new UsageError("waybill graph needs the name of a tool", { hint });
  const name = word.replaceAll("-", "_").replace(/^graph_/u, "");
  if (GRAPH_TOOLS.some((tool) => tool === name)) return name;
  throw await unknownWord(`waybill graph has no tool ${word}`, name, GRAPH_TOOLS, hint);
}

export const run: RunCommand = async (words, io) => {
  const [word, ...pairs] = words.positionals;
  const tool = await toolOf(word);
  if (!(await permittedTools(io))(`graph_${tool}`)) {
    throw new UsageError(`graph.${tool} is not permitted by the policy of the configuration`);
  }
  const since = words.values.get("since");
  const given = since === undefined ? pairs : [...pairs, `since=${since}`];
  const args = await readParams(words, "args", given, io);
  const prefix = words.values.get("prefix") ?? "";
  const line = new ProgressLine(io);
  const onProgress = ({ phase, done, total }: GraphProgress): void =>
    line.show(`Reading ${phase}: ${done} of ${total} files`);
  const tools = openGraphTools({ ...codeOf(words, io), prefix, onProgress });
  try {
    const signal = io.signal === undefined ? {} : { signal: io.signal };
    const envelope = await tools.call(`${prefix}graph_${tool}`, args, signal);
    line.clear();
    if (words.switches.has("brief")) await printRaw(io, briefToolText(envelope));
    else await printAnswer(io, envelope, words.switches.has("pretty"));
    return envelope.success ? EXIT.ok : EXIT.failed;
  } finally {
    line.clear();
    await tools.close();
  }
};
