import { loadConfig } from "@waybill/state";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printRaw } from "../io.ts";
import type { Io } from "../io.ts";
import { given, numberValue } from "../option-values.ts";
import { printAnswer } from "../print-answer.ts";
import { readText } from "../read-json.ts";
import { UsageError } from "../usage-error.ts";
import { whileWaiting } from "../waiting.ts";
import { orUsageError, withWaybill } from "../waybill/index.ts";
import { codeFor } from "./code-asked.ts";
import { openCode } from "./open-code.ts";

const HINT = `Such as: waybill code 'return (await issue.list("octo/hello")).length'`;

/** A run that is resumed knows its program. */
async function programIn({ positionals, values }: Words, io: Io): Promise<string | undefined> {
  const [first, extra] = positionals;
  if (extra !== undefined) {
    throw new UsageError(`waybill code takes one program, not also ${JSON.stringify(extra)}`, {
      hint: `Put the program in quotes. ${HINT}`,
    });
  }
  const isResumed = values.has("approve") || values.has("idempotency-key");
  if (first === undefined && isResumed) return undefined;
  if (first === undefined) throw new UsageError("waybill code needs a program", { hint: HINT });
  return (await readText("the program", first, io)).text;
}

function optionsIn(words: Words, signal: AbortSignal | undefined): Record<string, unknown> {
  const { values, switches } = words;
  return given<Record<string, unknown>>({
    idempotency_key: values.get("idempotency-key"),
    approve: values.get("approve"),
    dry_run: switches.has("dry-run") || undefined,
    deadline_ms: numberValue(words, "deadline-ms"),
    max_tokens: numberValue(words, "max-tokens"),
    signal,
  });
}

/** `issue.list.page` is a way to call `issue.list`. */
function idsFrom(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.replace(/\.(?:result|page)$/u, "")]);
}

export const run: RunCommand = async (words, io) => {
  const options = optionsIn(words, io.signal);
  const code = await openCode(await orUsageError(loadConfig(io)));
  try {
    code.warm();
    const program = await programIn(words, io);
    const named = program === undefined ? undefined : await code.idsIn(program);
    const ids = named === undefined ? undefined : idsFrom(named);
    const wanted = { checkout: true, ...(ids === undefined ? { unlisted: true } : { ids }) };
    const answering = withWaybill(
      io,
      (waybill) => code.run(waybill, program, options, ""),
      { ...wanted, ...codeFor(ids ?? ["graph."], words, io) },
      { via: "run", isRecorded: words.switches.has("record") },
    );
    const result = await whileWaiting(io, "the program", answering);
    if (words.switches.has("brief")) await printRaw(io, code.text(result));
    else await printAnswer(io, result, words.switches.has("pretty"));
    return result.ok ? EXIT.ok : EXIT.failed;
  } finally {
    code.close();
  }
};
