import type { OperationCardSummary, Waybill } from "@waybill/core";
import { UsageError } from "../words/usage-error.ts";
import type { RunWords } from "./run-params.ts";

type Explainer = Partial<Pick<Waybill, "explain">>;

/**
 * The operation; undefined for an unknown id, because the call reports unknown ids with a better
 * error.
 */
async function explained(caller: Explainer, id: string) {
  try {
    return await caller.explain?.(id);
  } catch {
    return undefined;
  }
}

type Params = Readonly<Record<string, unknown>>;

/**
 * Words without `=`. They select output fields; one may name an object in the repository, such as a
 * branch.
 */
export type PlacedWords = Pick<RunWords, "fields" | "thing"> & {
  /** Whether the first word, which could also be the value of an input, is an output field. */
  readonly isFirstField?: true;
};

/** Whether a required input is missing. Descriptions include the type, as in `path:string`. */
function lacksInput(required: readonly string[], params: Params): boolean {
  const given = Object.hasOwn(params, "repo") ? { ...params, owner: 0, name: 0 } : params;
  return required.some((input) => {
    const name = /^\w+/u.exec(input)?.[0] ?? "";
    const isNumbered = name.endsWith("Number") && Object.hasOwn(params, "number");
    return !isNumbered && !Object.hasOwn(given, name);
  });
}

/**
 * Whether a word that is not a field can only be the value of a missing input or a path, as in
 * `release.view octo/hello v1.0.0`.
 */
function isThing(word: string, summary: OperationCardSummary, params: Params): boolean {
  if (!Object.hasOwn(params, "repo") || Object.hasOwn(params, "")) return false;
  const { required_inputs, optional_inputs } = summary;
  if (lacksInput(required_inputs, params)) return true;
  const hasPath = optional_inputs.some((input) => /^path\b/u.test(input));
  return !Object.hasOwn(params, "number") && (hasPath || /[.\d]/u.test(word));
}

/**
 * Whether the first word selects a field, as in `user.me login`. It does if no required input is
 * missing.
 */
function isFirstField(word: unknown, known: ReadonlySet<string>, isLacking: boolean): boolean {
  return typeof word === "string" && known.has(word.split(".")[0]!) && !isLacking;
}

/**
 * Checks the words without `=`, which select output fields. After a repository, a word that is not
 * a field names an object in it, such as a branch. For a write, an unknown field is probably a
 * mistyped input, so nothing is sent.
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
  const isFile = /\.\w+$/u.test(unknown) && inputs.split(", ").includes("file");
  const fileWord = isFile ? ` A file is written file=@${unknown}.` : "";
  throw new UsageError(`${unknown} is neither an input of ${id} nor a field of its result`, {
    hint: `Nothing was sent.${fileWord} Inputs are written key=value: ${inputs}; fields are ${namesIn(output_fields)}`,
  });
}

function namesIn(described: readonly string[]): string {
  return described.map((field) => /^\w+/u.exec(field)?.[0] ?? field).join(", ");
}
