import type { DocumentTemplate, PreparedDocument } from "@waybill/core/cards";

/** One of several operations that are merged into a document. */
export interface MergeStep {
  readonly document: PreparedDocument;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An error of a GraphQL upstream. */
export interface UpstreamError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly [member: string]: unknown;
}

/** The answer of one step, with the names of its own document. */
export interface StepAnswer {
  /** The data of the step. Null if the whole document has no data. */
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly UpstreamError[];
}

export interface SplitAnswer {
  readonly steps: readonly StepAnswer[];
  /** Errors that belong to no step, such as the error for a rejected document. */
  readonly errors: readonly UpstreamError[];
}

export interface MergedDocument {
  readonly operationName: string;
  readonly document: string;
  readonly variables: Record<string, unknown>;
  /** Splits the answer into the parts of each step. */
  split(data: unknown, errors?: readonly UpstreamError[]): SplitAnswer;
}

const NAME = "Merged";

function getPrefix(index: number): string {
  return `s${index}_`;
}

/** The assumed length of a list whose length is unknown. */
const MAX_PAGE = 100;

function getNodes({ document, variables }: MergeStep): number {
  return (document.nodes ?? []).reduce((sum, term) => {
    const sizes = term.variables.map((name) => Number(variables[name] ?? MAX_PAGE));
    return sum + sizes.reduce((product, size) => product * size, term.factor);
  }, 0);
}

/** Whether these documents can be sent as one document that requests at most `maxNodes` items. */
export function canMerge(steps: readonly MergeStep[], maxNodes = Infinity): boolean {
  const kind = steps[0]?.document.kind;
  const isAlike = steps.every(
    ({ document }) => document.kind === kind && document.template !== undefined,
  );
  return isAlike && steps.reduce((sum, step) => sum + getNodes(step), 0) <= maxNodes;
}

function joinedParts(
  templates: readonly DocumentTemplate[],
  part: "variables" | "selections" | "ownFragments",
): string {
  const texts = templates.map((template, index) => template[part].join(getPrefix(index)));
  return texts.filter((text) => text !== "").join(" ");
}

function mergedText(kind: string, templates: readonly DocumentTemplate[]): string {
  const variables = joinedParts(templates, "variables");
  const shared = Object.assign(
    {},
    ...templates.map((template) => template.sharedFragments),
  ) as object;
  const head = `${kind} ${NAME}${variables === "" ? "" : `(${variables})`}`;
  const fragments = [
    joinedParts(templates, "ownFragments"),
    ...(Object.values(shared) as string[]),
  ];
  return [`${head}{${joinedParts(templates, "selections")}}`, ...fragments.filter(Boolean)].join(
    " ",
  );
}

function mergedVariables(steps: readonly MergeStep[]): Record<string, unknown> {
  const entries = steps.flatMap(({ document, variables }, index) =>
    document.variables
      .filter(({ name }) => Object.hasOwn(variables, name))
      .map(({ name }) => [getPrefix(index) + name, variables[name]] as const),
  );
  return Object.fromEntries(entries);
}

function stepData(data: object | null, prefix: string): Record<string, unknown> | null {
  if (data === null) return null;
  const entries = Object.entries(data).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), value]));
}

/** The index of the step to which the path of an error belongs, or -1. */
function getStep({ path }: UpstreamError, count: number): number {
  const match = /^s(\d+)_/.exec(String(path?.[0] ?? ""));
  return match !== null && Number(match[1]) < count ? Number(match[1]) : -1;
}

function ownError(error: UpstreamError, prefix: string): UpstreamError {
  const [root, ...rest] = error.path!;
  return { ...error, path: [String(root).slice(prefix.length), ...rest] };
}

function split(count: number, data: unknown, errors: readonly UpstreamError[]): SplitAnswer {
  const whole = typeof data === "object" ? data : null;
  const steps = Array.from({ length: count }, (_, index) => ({
    data: stepData(whole, getPrefix(index)),
    errors: errors
      .filter((error) => getStep(error, count) === index)
      .map((error) => ownError(error, getPrefix(index))),
  }));
  return { steps, errors: errors.filter((error) => getStep(error, count) < 0) };
}

/**
 * Merges several operations into one document. All names of a step get its prefix, and shared
 * fragments are sent once. Throws a TypeError if `canMerge` is false.
 */
export function mergeDocuments(steps: readonly MergeStep[]): MergedDocument {
  const documents = steps.map(({ document }) => document);
  if (steps.length === 0 || !canMerge(steps)) {
    throw new TypeError("these documents cannot be merged into one");
  }
  const templates = documents.map(({ template }) => template!);
  return {
    operationName: NAME,
    document: mergedText(documents[0]!.kind, templates),
    variables: mergedVariables(steps),
    split: (data, errors = []) => split(steps.length, data, errors),
  };
}
