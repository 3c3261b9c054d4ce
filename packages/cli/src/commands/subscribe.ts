import { errorFromUnknown } from "@waybill/core";
import { collectEvents, loadTokenList } from "@waybill/core/protocol";
import type { CollectOptions } from "@waybill/core/protocol";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { note, printJson } from "../io.ts";
import type { Io } from "../io.ts";
import { givenOptions, numberValue } from "../words/option-values.ts";
import { reportFailure } from "../output/report-failure.ts";
import { UsageError } from "../words/usage-error.ts";
import { withWaybill } from "../waybill/index.ts";
import { codeFor } from "./code-base-for-ids.ts";
import { readParams } from "./run-params.ts";

type Meta = Parameters<NonNullable<CollectOptions["onEvent"]>>[2];

const STOPPED: Readonly<Record<string, string>> = {
  limit: "it reached the limit of events (--limit)",
  time: "it reached the time limit (--wait-ms)",
  tokens: "it reached the token limit (--max-tokens)",
};

function optionsIn(words: Words, io: Io): CollectOptions {
  return givenOptions<CollectOptions>({
    limit: numberValue(words, "limit"),
    wait_ms: numberValue(words, "wait-ms"),
    max_tokens: numberValue(words, "max-tokens"),
    account: words.values.get("account"),
    approve: words.values.get("approve"),
    signal: io.signal,
  });
}

/** Adds the warnings and changes of an event, as the answer of a call has them. */
function warningsInMeta({ warnings, changes }: Meta): object {
  return warnings === undefined && changes === undefined ? {} : { meta: { warnings, changes } };
}

/** Prints each event as one line, so that another program can read events as they come. */
export const run: RunCommand = async (words, io) => {
  const [id, ...inputs] = words.positionals;
  if (id === undefined || id.includes("=")) {
    throw new UsageError("waybill subscribe needs the id of a subscription before its inputs", {
      hint: "waybill capabilities search events",
    });
  }
  const params = await readParams(words, "params", inputs, io);
  const options = optionsIn(words, io);
  if (options.max_tokens !== undefined) await loadTokenList();
  const onEvent: CollectOptions["onEvent"] = (data, _number, meta) =>
    printJson(io, { data: data ?? null, ...warningsInMeta(meta) }, false);
  const ids = [id];
  return withWaybill(
    io,
    async (waybill) => {
      try {
        const taken = await collectEvents(waybill, id, params, { ...options, onEvent });
        const why = STOPPED[taken.stopped_by];
        if (why !== undefined) await note(io, `waybill: stopped, because ${why}`);
        return EXIT.ok;
      } catch (thrown) {
        if (io.signal?.aborted === true) return EXIT.ok;
        return reportFailure(io, errorFromUnknown(thrown), id);
      }
    },
    { ids, ...codeFor(ids, words, io) },
  );
};
