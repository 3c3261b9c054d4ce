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

/** Reads a model's arguments of the four tools, and formats lists, for every door. */
export function idIn(args: Arguments): string {
  const id = args["capability_id"];
  if (typeof id === "string") return id;
  throw new CallError("VALIDATION_ERROR", "capability_id must be a string such as issue.view", {
    issues: [{ path: "/capability_id", message: "must be a string" }],
    outcome: "not_applied",
  });
}

/** The options as they were given, which are checked where they are used, and the door's own. */
export function optionsIn<Options>(args: Arguments, own: Options, last: Options): Options {
  const given = unwrapped("options", args["options"]);
  if (given === undefined || given === null) return { ...own, ...last };
  if (typeof given === "object" && !Array.isArray(given)) return { ...own, ...given, ...last };
  throw new CallError("VALIDATION_ERROR", "options must be an object", { outcome: "not_applied" });
}

/** The options of a call that is refused, as far as they can be read. */
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

/** Anything but a list of steps is refused when the steps are read. */
export function stepsIn(args: Arguments): readonly ChainStep[] {
  return unwrapped("steps", args["steps"]) as readonly ChainStep[];
}

/** As many lines as fit, and how many do not. */
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

/** A line for each capability, within a number of tokens; a brief search shows how to call. */
export async function listText(
  waybill: Waybill,
  args: Arguments,
  maxTokens: number,
  isBrief: boolean,
): Promise<string> {
  const [lines] = await Promise.all([linesFor(waybill, args, isBrief), loadTokenList()]);
  const text = linesWithin(lines, maxTokens) || "Nothing matches";
  // A domain is asked of the sources that can have it, and of no other.
  const missing = args["domain"] === undefined ? missingSources(waybill.sources()) : undefined;
  return missing === undefined ? text : `${text}\n${missing}. Ask again later.`;
}
