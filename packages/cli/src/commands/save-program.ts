import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { cardYaml } from "@waybill/adapters/cards";
import { readProgramCalls, savedCard } from "@waybill/code";
import { camelCasedId } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { OperationSpec, ResultEnvelope, Waybill } from "@waybill/core";
import type { EffectiveConfig } from "@waybill/state";
import { writeWhole } from "@waybill/state/files";
import { isAgreed } from "../ask.ts";
import { note } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";

/** The folder for cards if none is configured. */
const DEFAULT_FOLDER = "waybill-cards";
const ID = /^[\w-]+(?:\.[\w-]+)+$/u;

/** A program to save as a card, checked before it runs. */
export interface ProgramToSave {
  readonly id: string;
  readonly program: string;
  readonly input: unknown;
  readonly calls: readonly string[];
  readonly path: string;
  /** Whether Waybill reads cards from this folder. */
  readonly isConfigured: boolean;
}

/** The configured folder for cards, or the default one. */
function findFolder(
  { sources }: EffectiveConfig,
  cwd: string,
): { folder: string; isKnown: boolean } {
  const known = Object.values(sources).find((source) => source.kind === "cards");
  if (known?.kind === "cards") return { folder: resolve(cwd, known.folder), isKnown: true };
  return { folder: join(cwd, DEFAULT_FOLDER), isKnown: false };
}

/** Throws for a program that cannot be saved, before it runs. */
export async function programToSave(
  id: string,
  given: { readonly program: string | undefined; readonly input: unknown },
  config: EffectiveConfig,
  { cwd }: Io,
): Promise<ProgramToSave> {
  if (!ID.test(id)) {
    const hint = "Such as: --save triage.count";
    throw new UsageError(`${JSON.stringify(id)} is not an id like "issue.view"`, { hint });
  }
  const { program, input } = given;
  if (program === undefined)
    throw new UsageError("--save needs the program itself; pass it again together with --save");
  if (input !== undefined && !isRecord(input)) {
    throw new UsageError("The --input of a program that is saved must be a JSON object");
  }
  const { calls, problem } = await readProgramCalls(program);
  if (calls === undefined) throw new UsageError(`The program cannot be saved: ${problem}`);
  const { folder, isKnown } = findFolder(config, cwd);
  const path = join(folder, `${id}.yaml`);
  if (existsSync(path)) {
    const hint = "Delete the file, or choose another name";
    throw new UsageError(`${relative(cwd, path)} already exists`, { hint });
  }
  return { id, program, input, calls, path, isConfigured: isKnown };
}

/**
 * The name by which a program calls a capability: its id, the id in camelCase, or an alias.
 * Undefined if the program does not call it.
 */
function calledName(
  { id, alsoCalled = [] }: OperationSpec,
  calls: readonly string[],
): string | undefined {
  if (calls.includes(id) || calls.includes(camelCasedId(id))) return id;
  return calls.find((name) =>
    alsoCalled.some((alias) => [alias, camelCasedId(alias)].includes(name)),
  );
}

async function calledBy(waybill: Waybill, calls: readonly string[]): Promise<OperationSpec[]> {
  const found = await waybill.operations(calls);
  if (found.length === calls.length) return found;
  return (await waybill.operations()).filter((spec) => calledName(spec, calls) !== undefined);
}

function returnedValue({ data, meta }: ResultEnvelope): unknown {
  return meta.truncated === true || !isRecord(data) ? undefined : data["value"];
}

/** Writes the card of a program that has run. Asks a person at a terminal first. */
export async function saveProgram(
  io: Io,
  waybill: Waybill,
  { id, program, input, calls, path, isConfigured }: ProgramToSave,
  result: ResultEnvelope,
): Promise<void> {
  const shown = relative(io.cwd, path);
  if (!result.ok) return note(io, `waybill: the program failed, so ${id} was not saved`);
  const called = await calledBy(waybill, calls);
  const names = called.map((spec) => calledName(spec, calls) ?? spec.id);
  const card = savedCard({ id, program, input, value: returnedValue(result), called, names });
  const text = cardYaml(card);
  await note(io, `${text}The schemas are inferred from this run. Correct them in the file.`);
  if (io.isTTY && !(await isAgreed(io, `Save this as ${shown}?`))) {
    return note(io, "waybill: nothing was saved");
  }
  await writeWhole(path, text);
  const next = isConfigured
    ? `waybill run ${id} (a project's cards need waybill trust first)`
    : `waybill source add cards ${relative(io.cwd, dirname(path))}`;
  await note(io, `waybill: saved ${shown}; next: ${next}`);
}
