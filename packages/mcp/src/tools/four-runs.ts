import { briefText } from "@waybill/core";
import { briefChainText, explainText } from "@waybill/core/protocol";
import type { ChainOptions, ExecuteOptions, ResultEnvelope, Waybill } from "@waybill/core";
import { assertNames } from "../server/tools/arguments.ts";
import { CHAIN, EXECUTE, EXPLAIN, LIST_CAPABILITIES } from "../server/tools/definitions.ts";
import { idIn, listText, optionsIn, paramsIn, stepsIn } from "../server/tools/four-inputs.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Options that the program sets for every call: a default token limit, and its own signal. */
interface RunOptions {
  readonly max_tokens: number;
  /** Whether the model gets brief text instead of JSON. */
  readonly isBrief: boolean;
  readonly signal?: AbortSignal;
}

/** The text for the model, and the result from which it was made. */
export interface RunAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The result, which may contain images (default: none). */
  readonly result?: unknown;
}

export type Run = (waybill: Waybill, args: Arguments, options: RunOptions) => Promise<RunAnswer>;

function argumentNames({
  inputSchema,
}: {
  inputSchema: { properties?: object | undefined };
}): string[] {
  return Object.keys(inputSchema.properties ?? {});
}

/** A ResultEnvelope as text for the model. */
export function resultAnswer(envelope: ResultEnvelope, isBrief: boolean): RunAnswer {
  const text = isBrief ? briefText(envelope) : JSON.stringify(envelope);
  return { text, isError: !envelope.ok, result: envelope.data };
}

export const runExecute: Run = async (waybill, args, { max_tokens, isBrief, ...last }) => {
  assertNames(EXECUTE.name, args, argumentNames(EXECUTE));
  const options = optionsIn<ExecuteOptions>(args, { max_tokens, brief: isBrief }, last);
  return resultAnswer(await waybill.execute(idIn(args), paramsIn(args), options), isBrief);
};

export const runExplain: Run = async (waybill, args) => {
  assertNames(EXPLAIN.name, args, argumentNames(EXPLAIN));
  return { text: explainText(await waybill.explain(idIn(args))), isError: false };
};

export const runList: Run = async (waybill, args, { max_tokens, isBrief }) => {
  assertNames(LIST_CAPABILITIES.name, args, argumentNames(LIST_CAPABILITIES));
  return { text: await listText(waybill, args, max_tokens, isBrief), isError: false };
};

export const runChain: Run = async (waybill, args, { max_tokens, isBrief, ...last }) => {
  assertNames(CHAIN.name, args, argumentNames(CHAIN));
  const options = optionsIn<ChainOptions>(args, { max_tokens, brief: isBrief }, last);
  const result = await waybill.chain(stepsIn(args), options);
  const text = isBrief ? briefChainText(result) : JSON.stringify(result);
  return { text, isError: result.status !== "success", result: result.results };
};
