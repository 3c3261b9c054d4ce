import { briefText, pages } from "@waybill/core";
import { ROUTES } from "@waybill/core/protocol";
import type { ExecuteOptions, ResultEnvelope, Waybill } from "@waybill/core";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { ExitCode } from "../exit-codes.ts";
import { note } from "../io.ts";
import type { Io } from "../io.ts";
import { printAnswer } from "../output/print-answer.ts";
import { printBrief } from "../output/print-brief.ts";
import { whileWaiting } from "../output/waiting.ts";
import { choiceValue, givenOptions, listValue, numberValue } from "../words/option-values.ts";
import { UsageError } from "../words/usage-error.ts";
import { withWaybill } from "../waybill/index.ts";
import type { Opened } from "../waybill/index.ts";
import { placeWords } from "./check-fields.ts";
import { codeFor } from "./code-base-for-ids.ts";
import { placeToSave, saveFile } from "./save-file.ts";
import { readParams, splitWords } from "./run-params.ts";

async function readOptions(words: Words, signal?: AbortSignal): Promise<ExecuteOptions> {
  const { values, switches } = words;
  const cursor = values.get("page");
  return givenOptions<ExecuteOptions>({
    trace: switches.has("trace") || undefined,
    select: listValue(words, "select") ?? listValue(words, "json"),
    query: values.get("query"),
    page: cursor === undefined ? undefined : { cursor },
    max_tokens: numberValue(words, "max-tokens"),
    deadline_ms: numberValue(words, "deadline-ms"),
    route: await choiceValue(words, "route", ROUTES),
    account: values.get("account"),
    idempotency_key: values.get("idempotency-key"),
    dry_run: switches.has("dry-run") || undefined,
    approve: values.get("approve"),
    include: listValue(words, "include"),
    signal,
  });
}

function capabilityId([id]: readonly string[]): string {
  if (id === undefined || id.includes("=")) {
    throw new UsageError("waybill run needs the id of a capability before its inputs", {
      hint: "waybill capabilities list",
    });
  }
  return id;
}

const REPOSITORY_INPUTS = ["owner", "name", "repo", "repository", "url"];

/**
 * Whether a call names its repository. If it does, the repository of the current folder is not
 * read.
 */
function namesRepository(params: Readonly<Record<string, unknown>>): boolean {
  return REPOSITORY_INPUTS.some((name) => Object.hasOwn(params, name));
}

/**
 * Options that work only for local calls, because workers on NATS return nothing but the answer.
 */
const OF_WORKERS: Readonly<Record<string, string>> = {
  record: "The workers record every call in the history of their own state folder",
  root: "The workers answer about their own code: waybill serve nats --root DIR",
};

function checkVia({ switches, values }: Words): void {
  if (!values.has("via")) return;
  for (const [name, hint] of Object.entries(OF_WORKERS)) {
    if (!switches.has(name) && !values.has(name)) continue;
    throw new UsageError(`--${name} cannot be used with --via`, { hint });
  }
}

/** Tells a person at a terminal how to approve the call. The hint in the error is for an agent. */
async function noteApproval(io: Io, { error }: ResultEnvelope): Promise<void> {
  const approve = error?.details?.["approve"];
  if (!io.isTTY || typeof approve !== "string") return;
  await note(io, `waybill: to approve this call, repeat the command with --approve ${approve}`);
}

export const run: RunCommand = async (words, io) => {
  const id = capabilityId(words.positionals);
  checkVia(words);
  const { inputs, ...unnamed } = splitWords(words.positionals.slice(1));
  const asked = await readOptions(words, io.signal);
  const option = words.values.has("params") ? "params" : "input";
  const params = await readParams(words, option, inputs, io);
  const isPretty = words.switches.has("pretty");
  // A trace needs the full envelope.
  const isBrief = words.switches.has("brief") && asked.trace !== true;
  const file = await placeToSave(words, io);
  const via = words.values.get("via");
  const print = async (
    caller: Pick<Waybill, "execute"> & Partial<Pick<Waybill, "explain">>,
    opened?: Pick<Opened, "handles">,
  ): Promise<ExitCode> => {
    const { fields, thing, isFirstField } = await placeWords(caller, id, unnamed, params);
    const select = [...(asked.select ?? []), ...fields];
    const chosen = select.length === 0 ? asked : { ...asked, select };
    // Workers on NATS may have an older version, which does not know this option.
    const options = isBrief && via === undefined ? { ...chosen, brief: true } : chosen;
    // Without --pages, one page is read, as in any other call.
    const paged = { ...options, max_pages: numberValue(words, "pages") ?? 1 };
    // The capability decides which input a word without a name belongs to.
    const { "": _field, ...named } = params;
    const given = isFirstField === true ? named : params;
    const input = thing === undefined ? given : { ...given, "": thing };
    const waiting: Pick<Waybill, "execute"> = {
      execute: (...call: Parameters<Waybill["execute"]>) =>
        whileWaiting(io, id, caller.execute(...call)),
    };
    let isOk = true;
    for await (const result of pages(waiting, id, input, paged)) {
      if (file !== undefined && result.ok) await saveFile(io, file, result.data, opened?.handles);
      if (isBrief) await printBrief(io, result.meta, (shown) => briefText(result, { shown }));
      else await printAnswer(io, result, isPretty);
      await noteApproval(io, result);
      isOk = result.ok;
    }
    return isOk ? EXIT.ok : EXIT.failed;
  };
  if (via !== undefined) return print((await import("./run-via.ts")).callerVia(io, via));
  const ids = [id];
  const wanted = { ids, checkout: !namesRepository(params), ...codeFor(ids, words, io) };
  return withWaybill(io, print, wanted, {
    isRecorded: words.switches.has("record"),
    schemas: { fewChecks: true },
  });
};
