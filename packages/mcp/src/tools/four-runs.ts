import { CallError, explainText } from "@waybill/core";
import type { ChainStep, ExecuteOptions, Waybill } from "@waybill/core";
import { assertNames, unwrapped } from "../server/tools/arguments.ts";
import { CHAIN, EXECUTE, EXPLAIN, LIST_CAPABILITIES } from "../server/tools/definitions.ts";

type Arguments = Readonly<Record<string, unknown>>;
type CallOptions = Pick<ExecuteOptions, "max_tokens" | "signal">;

/** What goes back to the model, and whether the call failed. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export type Run = (waybill: Waybill, args: Arguments, options: CallOptions) => Promise<ToolAnswer>;

function namesOf({ inputSchema }: { inputSchema: { properties?: object | undefined } }): string[] {
  return Object.keys(inputSchema.properties ?? {});
}

function idIn(args: Arguments): string {
  const id = args["capability_id"];
  if (typeof id === "string") return id;
  throw new CallError("VALIDATION_ERROR", "capability_id must be a text such as issue.view", {
    outcome: "not_applied",
  });
}

/** What the model says goes over what the program said, but nobody else's signal counts. */
function optionsIn(args: Arguments, own: CallOptions): ExecuteOptions {
  const given = unwrapped("options", args["options"]);
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  if (given !== undefined && given !== null && !isObject) {
    throw new CallError("VALIDATION_ERROR", "options must be an object", {
      outcome: "not_applied",
    });
  }
  return { ...own, ...(isObject && given), ...(own.signal && { signal: own.signal }) };
}

export const runExecute: Run = async (waybill, args, own) => {
  assertNames(EXECUTE.name, args, namesOf(EXECUTE));
  const options = optionsIn(args, own);
  const envelope = await waybill.execute(idIn(args), unwrapped("params", args["params"]), options);
  return { text: JSON.stringify(envelope), isError: !envelope.ok };
};

export const runExplain: Run = async (waybill, args) => {
  assertNames(EXPLAIN.name, args, namesOf(EXPLAIN));
  return { text: explainText(await waybill.explain(idIn(args))), isError: false };
};

export const runList: Run = async (waybill, args) => {
  assertNames(LIST_CAPABILITIES.name, args, namesOf(LIST_CAPABILITIES));
  const items = await waybill.list_capabilities(args);
  const lines = items.map(({ capability_id, description }) => `${capability_id} ${description}`);
  return { text: lines.join("\n") || "Nothing matches", isError: false };
};

export const runChain: Run = async (waybill, args, own) => {
  assertNames(CHAIN.name, args, namesOf(CHAIN));
  // What is no list of steps is refused where steps are read.
  const steps = unwrapped("steps", args["steps"]) as readonly ChainStep[];
  const { max_tokens: _budget, ...options } = optionsIn(args, own);
  const result = await waybill.chain(steps, options);
  return { text: JSON.stringify(result), isError: result.status !== "success" };
};
