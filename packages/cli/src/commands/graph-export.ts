import { EXPORT_FORMATS, GraphWorkspace, exportGraph } from "@waybill/codegraph";
import type { DrawingOptions } from "@waybill/codegraph";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printText } from "../io.ts";
import { choiceValue, givenOptions, numberValue } from "../words/option-values.ts";
import { UsageError } from "../words/usage-error.ts";
import { getRoot } from "./graph-root.ts";

async function readDrawingOptions(words: Words): Promise<DrawingOptions> {
  const maxNodes = numberValue(words, "max-nodes");
  if (maxNodes !== undefined && (maxNodes < 1 || maxNodes > 5_000)) {
    throw new UsageError("--max-nodes must be between 1 and 5000");
  }
  return givenOptions<DrawingOptions>({
    level: await choiceValue(words, "level", ["file", "folder"]),
    scope: words.values.get("scope"),
    maxNodes,
  });
}

export const run: RunCommand = async (words, io) => {
  const [extra] = words.positionals;
  if (extra !== undefined) {
    throw new UsageError(
      `waybill graph export takes no arguments, but got ${JSON.stringify(extra)}; leave it out`,
    );
  }
  const format = (await choiceValue(words, "format", EXPORT_FORMATS)) ?? "mermaid";
  const options = await readDrawingOptions(words);
  const workspace = new GraphWorkspace({ root: getRoot(words, io) });
  try {
    const text = exportGraph(await workspace.view("none", io.signal), format, options);
    await printText(io, text.trimEnd());
    return EXIT.ok;
  } finally {
    await workspace.close();
  }
};
