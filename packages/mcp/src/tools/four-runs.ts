import { briefText } from "@waybill/core";
import { briefChainText, explainText } from "@waybill/core/protocol";
import type { ChainOptions, ExecuteOptions, ResultEnvelope, Waybill } from "@waybill/core";
import type { BriefTextOptions } from "@waybill/core/protocol";
import { assertNames } from "../server/tools/arguments.ts";
import { CHAIN, EXECUTE, EXPLAIN, LIST_CAPABILITIES } from "../server/tools/definitions.ts";
import { idIn, listText, optionsIn, paramsIn, stepsIn } from "../server/tools/four-inputs.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Options that the program sets for every call: a default token limit, and its own signal. */
interface RunOptions {
  readonly max_tokens: number;
  /** Set if the model gets brief text instead of JSON, with the warnings that it has seen. */
  readonly brief?: Pick<BriefTextOptions, "shown">;
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
export function resultAnswer(envelope: ResultEnvelope, brief: RunOptions["brief"]): RunAnswer {
  const text = brief === undefined ? JSON.stringify(envelope) : briefText(envelope, brief);
  return { text, isError: !envelope.ok, result: envelope.data };
}

export const runExecute: Run = async (waybill, args, { max_tokens, brief, ...last }) => {
  assertNames(EXECUTE.name, args, argumentNames(EXECUTE));
  const options = optionsIn<ExecuteOptions>(args, { max_tokens, brief: brief !== undefined }, last);
  return resultAnswer(await waybill.execute(idIn(args), paramsIn(args), options), brief);
};

export const runExplain: Run = async (waybill, args) => {
  assertNames(EXPLAIN.name, args, argumentNames(EXPLAIN));
  return { text: explainText(await waybill.explain(idIn(args))), isError: false };
};

export const runList: Run = async (waybill, args, { max_tokens, brief }) => {
  assertNames(LIST_CAPABILITIES.name, args, argumentNames(LIST_CAPABILITIES));
  return { text: await listText(waybill, args, max_tokens, brief !== undefined), isError: false };
};

export const runChain: Run = async (waybill, args, { max_tokens, brief, ...last }) => {
  assertNames(CHAIN.name, args, argumentNames(CHAIN));
  const options = optionsIn<ChainOptions>(args, { max_tokens, brief: brief !== undefined }, last);
  const result = await waybill.chain(stepsIn(args), options);
  const text = brief === undefined ? JSON.stringify(result) : briefChainText(result, brief);
  return { text, isError: result.status !== "success", result: result.results };
};
