import { briefChainText } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { ChainStep, Waybill } from "@waybill/core";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printAnswer } from "../output/print-answer.ts";
import { printBrief } from "../output/print-brief.ts";
import { whileWaiting } from "../output/waiting.ts";
import type { Io } from "../io.ts";
import { choiceValue, givenOptions, numberValue } from "../words/option-values.ts";
import { readJson } from "../words/read-json.ts";
import { UsageError } from "../words/usage-error.ts";
import { withWaybill } from "../waybill/index.ts";
import { codeFor } from "./code-base-for-ids.ts";

type ChainOptions = NonNullable<Parameters<Waybill["chain"]>[1]>;

const HINT = 'Such as --steps \'[{"task": "issue.view", "params": {…}}]\'';

async function readSteps({ values, positionals }: Words, io: Io): Promise<readonly ChainStep[]> {
  const [extra] = positionals;
  if (extra !== undefined) {
    throw new UsageError(`waybill chain takes no arguments, but got ${JSON.stringify(extra)}`, {
      hint: HINT,
    });
  }
  const text = values.get("steps");
  if (text === undefined) throw new UsageError("waybill chain needs --steps", { hint: HINT });
  const steps = await readJson("--steps", text, io);
  if (!Array.isArray(steps)) throw new UsageError("--steps must be a JSON list", { hint: HINT });
  // The steps are not validated here, because each step is checked when it runs.
  return steps as ChainStep[];
}

async function readOptions(words: Words, signal?: AbortSignal): Promise<ChainOptions> {
  const { values, switches } = words;
  return givenOptions<ChainOptions>({
    on_error: await choiceValue(words, "on-error", ["stop", "continue"]),
    merge_writes: switches.has("merge-writes") || undefined,
    trace: switches.has("trace") || undefined,
    deadline_ms: numberValue(words, "deadline-ms"),
    dry_run: switches.has("dry-run") || undefined,
    brief: switches.has("brief") || undefined,
    account: values.get("account"),
    idempotency_key: values.get("idempotency-key"),
    signal,
  });
}

/** Steps are not validated yet at this point, so `task` may have any type. */
function getTasks(steps: readonly unknown[]): string[] {
  return steps.map((step) => (isRecord(step) ? String(step["task"]) : ""));
}

export const run: RunCommand = async (words, io) => {
  const options = await readOptions(words, io.signal);
  const steps = await readSteps(words, io);
  const ids = getTasks(steps);
  const wanted = { ids, ...codeFor(ids, words, io) };
  const call = withWaybill(io, (waybill) => waybill.chain(steps, options), wanted, {
    via: "chain",
    isRecorded: words.switches.has("record"),
  });
  const result = await whileWaiting(io, `${steps.length} steps`, call);
  const meta = { warnings: result.results.flatMap((each) => each.meta.warnings ?? []) };
  if (words.switches.has("brief"))
    await printBrief(io, meta, (shown) => briefChainText(result, { shown }));
  else await printAnswer(io, result, words.switches.has("pretty"));
  return result.status === "success" ? EXIT.ok : EXIT.failed;
};
