import { loadConfig } from "@waybill/state";
import type { EffectiveConfig } from "@waybill/state";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import type { RunCommand, Words } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printRaw } from "../io.ts";
import type { Io } from "../io.ts";
import { givenOptions, numberValue } from "../words/option-values.ts";
import { printAnswer } from "../output/print-answer.ts";
import { readJson, readText } from "../words/read-json.ts";
import { UsageError } from "../words/usage-error.ts";
import { whileWaiting } from "../output/waiting.ts";
import { openCode, orUsageError, withWaybill } from "../waybill/index.ts";
import { codeFor } from "./code-base-for-ids.ts";

const HINT = `Such as: waybill code 'return (await issue.list("octo/hello")).length'`;

/**
 * Reads the program from the command line, a file or stdin. A resumed run has its program already.
 */
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

async function inputIn({ values }: Words, io: Io): Promise<unknown> {
  const text = values.get("input");
  return text === undefined ? undefined : readJson("--input", text, io);
}

function optionsIn(words: Words, io: Io, input: unknown): Record<string, unknown> {
  const { values, switches } = words;
  return givenOptions<Record<string, unknown>>({
    idempotency_key: values.get("idempotency-key"),
    approve: values.get("approve"),
    dry_run: switches.has("dry-run") || undefined,
    deadline_ms: numberValue(words, "deadline-ms"),
    max_tokens: numberValue(words, "max-tokens"),
    input,
    signal: io.signal,
  });
}

/** Removes the `.page` suffix: `issue.list.page` calls `issue.list`. */
function idsFrom(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.replace(/\.(?:result|page)$/u, "")]);
}

type Ended = (waybill: Waybill, result: ResultEnvelope) => Promise<void>;

/** Prepares to save the program as a card after it has run, if the user asked for that. */
async function savingBy(
  { values }: Words,
  io: Io,
  config: EffectiveConfig,
  program: { readonly program: string | undefined; readonly input: unknown },
): Promise<Ended | undefined> {
  const name = values.get("save");
  if (name === undefined) return undefined;
  const { programToSave, saveProgram } = await import("./save-program.ts");
  const saved = await programToSave(name, program, config, io);
  return (waybill, result) => saveProgram(io, waybill, saved, result);
}

export const run: RunCommand = async (words, io) => {
  const config = await orUsageError(loadConfig(io));
  const code = await openCode(config);
  try {
    code.warm();
    const program = await programIn(words, io);
    const input = await inputIn(words, io);
    const options = optionsIn(words, io, input);
    const save = await savingBy(words, io, config, { program, input });
    const reading = program === undefined ? undefined : code.outline(program);
    // Most programs call GitHub, so its code is loaded while the thread starts.
    if (config.packs.includes("github")) await import(/* part: run */ "../waybill/github-pack.ts");
    const outline = await reading;
    const read = outline?.ids ?? [];
    // A program may call GitHub without containing an id, as in `[issue, pr].map((thing) =>
    // thing.list())`.
    const ids = read.length === 0 ? undefined : idsFrom(read);
    const checkout = outline?.isReferred !== true;
    const wanted = { checkout, ...(ids === undefined ? { unlisted: true } : { ids }) };
    const print = (result: ResultEnvelope): Promise<void> =>
      words.switches.has("brief")
        ? printRaw(io, code.text(result))
        : printAnswer(io, result, words.switches.has("pretty"));
    return await withWaybill(
      io,
      async (waybill) => {
        const running = code.run(waybill, program, options, "");
        const result = await whileWaiting(io, "the program", running);
        await print(result);
        await save?.(waybill, result);
        return result.ok ? EXIT.ok : EXIT.failed;
      },
      { ...wanted, ...codeFor(ids ?? ["graph."], words, io) },
      { via: "code", isRecorded: words.switches.has("record") },
    );
  } finally {
    code.close();
  }
};
