import type { OperationCardSummary, Waybill } from "@waybill/core";
import { UsageError } from "../words/usage-error.ts";
import type { RunWords } from "./run-params.ts";

type Explainer = Partial<Pick<Waybill, "explain">>;

/** The operation; undefined for an unknown id, because the call itself reports that better. */
async function explained(caller: Explainer, id: string) {
  try {
    return await caller.explain?.(id);
  } catch {
    return undefined;
  }
}

type Params = Readonly<Record<string, unknown>>;

/** Words without `=`: fields to select, and sometimes the name of a thing in the repository. */
export type PlacedWords = Pick<RunWords, "fields" | "thing"> & {
  /** Whether the first word, which could name an input, is one of the fields. */
  readonly isFirstField?: true;
};

/** Whether a required input is missing. Descriptions include the type, as in `path:string`. */
function lacksInput(required: readonly string[], params: Params): boolean {
  const given = Object.hasOwn(params, "repo") ? { ...params, owner: 0, name: 0 } : params;
  return required.some((input) => !Object.hasOwn(given, /^\w+/u.exec(input)?.[0] ?? ""));
}

/**
 * Whether a word that is not a field is a missing input, as in `release.view octo/hello v1.0.0`.
 */
function isThing(word: string, { required_inputs }: OperationCardSummary, params: Params): boolean {
  const isOnlyRepository = Object.hasOwn(params, "repo") && !Object.hasOwn(params, "number");
  const isName = /[.\d]/u.test(word) || lacksInput(required_inputs, params);
  return isOnlyRepository && !Object.hasOwn(params, "") && isName;
}

/**
 * Whether the first word selects a field, as in `user.me login`: no input is missing that it could
 * name.
 */
function isFirstField(word: unknown, known: ReadonlySet<string>, isLacking: boolean): boolean {
  return typeof word === "string" && known.has(word.split(".")[0]!) && !isLacking;
}

/**
 * A word without `=` selects a field of the answer. After a repository, a word that is not a field
 * names a thing in it. For a write, an unknown field is probably a mistyped input, so nothing is
 * sent.
 */
export async function placeWords(
  caller: Explainer,
  id: string,
  { fields, thing }: PlacedWords,
  params: Params,
): Promise<PlacedWords> {
  const [first] = fields;
  const unnamed = params[""];
  if (first === undefined && unnamed === undefined) {
    return { fields, ...(thing !== undefined && { thing }) };
  }
  const summary = await explained(caller, id);
  if (summary === undefined) return { fields };
  // Fields are described with their types, as in `author:{login}`.
  const known = new Set(summary.output_fields.join(" ").match(/\w+/gu));
  if (isFirstField(unnamed, known, lacksInput(summary.required_inputs, params))) {
    return { fields: [String(unnamed), ...fields], isFirstField: true };
  }
  if (first === undefined) return { fields, ...(thing !== undefined && { thing }) };
  const isKnown = (field: string): boolean => known.has(field.split(".")[0]!);
  if (thing === undefined && known.size > 0 && !isKnown(first) && isThing(first, summary, params)) {
    return placeWords(caller, id, { fields: fields.slice(1), thing: first }, params);
  }
  const placed = { fields, ...(thing !== undefined && { thing }) };
  const unknown = fields.find((field) => !isKnown(field));
  if (summary.effect === "read" || unknown === undefined || known.size === 0) return placed;
  const { required_inputs, optional_inputs, output_fields } = summary;
  const inputs = namesIn([...required_inputs, ...optional_inputs]);
  throw new UsageError(`${unknown} is neither an input of ${id} nor a field of its result`, {
    hint: `Nothing was sent. Inputs are written key=value: ${inputs}; fields are ${namesIn(output_fields)}`,
  });
}

function namesIn(described: readonly string[]): string {
  return described.map((field) => /^\w+/u.exec(field)?.[0] ?? field).join(", ");
}
