import type { JsonSchema, OperationSummary, Source } from "@waybill/core";
import { uncheckedPatterns } from "@waybill/core/schema";
import type { McpServerSource } from "@waybill/mcp/client";

const MAX_REASONS = 3;

/** An MCP server without tools is still usable if it has resources or prompts. */
async function offersOther(source: Source): Promise<boolean> {
  if (!("offers" in source)) return false;
  const { resources, templates, prompts } = await (source as McpServerSource).offers.list();
  return resources.length + templates.length + prompts.length > 0;
}

/** Why a source without operations is useless; undefined if it is not. */
export async function emptyReason(
  source: Source,
  operations: number,
  problems: readonly string[],
): Promise<string | undefined> {
  if (operations > 0 || (await offersOther(source))) return undefined;
  const left = problems.length - MAX_REASONS;
  const why = [...problems.slice(0, MAX_REASONS), ...(left > 0 ? [`and ${left} more`] : [])];
  const nothing = "it has no usable operation";
  return why.length === 0 ? nothing : `${nothing}: ${why.join("; ")}`;
}

/** A sentence, followed by the ids of the operations that it applies to. */
type Sentences = Map<string, string[]>;

async function addSentences(
  sentences: Sentences,
  id: string,
  which: "input" | "output",
  schema: JsonSchema,
): Promise<void> {
  for (const problem of await uncheckedPatterns(schema)) {
    const sentence = `in the ${which}, ${problem}`;
    const known = sentences.get(sentence);
    if (known === undefined) sentences.set(sentence, [id]);
    else known.push(id);
  }
}

/** Lists the patterns of inputs and outputs that no engine runs in linear time. */
export async function uncheckedPatternsIn(
  source: Source,
  listed: readonly OperationSummary[],
): Promise<string[]> {
  const sentences: Sentences = new Map();
  for (const { id } of listed) {
    try {
      const { inputSchema, outputSchema } = source.describe(id);
      await addSentences(sentences, id, "input", inputSchema);
      await addSentences(sentences, id, "output", outputSchema);
    } catch {
      // Skipped here, because an operation without a description is already reported as broken.
    }
  }
  return [...sentences].map(([sentence, [first, ...others]]) =>
    others.length === 0
      ? `${first}: ${sentence}`
      : `${first} and ${others.length} more: ${sentence}`,
  );
}
