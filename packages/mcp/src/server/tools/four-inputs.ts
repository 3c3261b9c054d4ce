import { CallError } from "@waybill/core";
import {
  estimateTokens,
  loadTokenList,
  missingSources,
  signatureLines,
} from "@waybill/core/protocol";
import type { ChainStep, Waybill } from "@waybill/core";
import { unwrapped } from "./arguments.ts";

type Arguments = Readonly<Record<string, unknown>>;

export function idIn(args: Arguments): string {
  const id = args["capability_id"];
  if (typeof id === "string") return id;
  throw new CallError("VALIDATION_ERROR", "capability_id must be a string such as issue.view", {
    issues: [{ path: "/capability_id", message: "must be a string" }],
    outcome: "not_applied",
  });
}

/** Combines the options of the caller with those of the surface. They are validated later. */
export function optionsIn<Options>(args: Arguments, own: Options, last: Options): Options {
  const given = unwrapped("options", args["options"]);
  if (given === undefined || given === null) return { ...own, ...last };
  if (typeof given === "object" && !Array.isArray(given)) return { ...own, ...given, ...last };
  throw new CallError("VALIDATION_ERROR", "options must be an object", { outcome: "not_applied" });
}

/** The options of a refused call, as far as they can be read. */
export function readableOptions(args: Arguments): { readonly trace?: unknown } {
  try {
    return optionsIn<{ readonly trace?: unknown }>(args, {}, {});
  } catch {
    return {};
  }
}

export function paramsIn(args: Arguments): unknown {
  return unwrapped("params", args["params"]);
}

/** Anything that is not a list of steps is refused later. */
export function stepsIn(args: Arguments): readonly ChainStep[] {
  return unwrapped("steps", args["steps"]) as readonly ChainStep[];
}

/** Writes as many lines as fit, and the number of the remaining ones. */
function linesWithin(lines: readonly string[], maxTokens: number): string {
  let tokens = 20;
  const fitting = lines.findIndex((line) => (tokens += estimateTokens(line) + 1) > maxTokens);
  if (fitting < 0) return lines.join("\n");
  const rest = lines.length - fitting;
  return [...lines.slice(0, fitting), `${rest} more: narrow with query or domain`].join("\n");
}

async function linesFor(waybill: Waybill, args: Arguments, isBrief: boolean): Promise<string[]> {
  if (isBrief && args["query"] !== undefined) return signatureLines(waybill, args);
  const items = await waybill.list_capabilities(args);
  return items.map(({ capability_id, description }) => `${capability_id} ${description}`);
}

/** Lists one capability per line, within a number of tokens. A brief search shows signatures. */
export async function listText(
  waybill: Waybill,
  args: Arguments,
  maxTokens: number,
  isBrief: boolean,
): Promise<string> {
  const [lines] = await Promise.all([linesFor(waybill, args, isBrief), loadTokenList()]);
  const text = linesWithin(lines, maxTokens) || "Nothing matches";
  // With a domain, only the sources that may have it are searched.
  const missing = args["domain"] === undefined ? missingSources(waybill.sources()) : undefined;
  return missing === undefined ? text : `${text}\n${missing}. Ask again later.`;
}
