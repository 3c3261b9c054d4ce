import { fail, merge } from "../envelope/index.ts";
import { nearestNames } from "../schema/index.ts";
import { MappingError } from "./mapping/index.ts";
import type { MappingScope } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import type { CardScope } from "./request.ts";

const NO_GROUPS: Readonly<Record<string, boolean>> = Object.freeze({});
/** Shared by all calls, because most cards have no lookups. */
const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

/** The optional field groups of a card, and whether each was requested. */
function includeFlags(
  card: PreparedCard,
  asked: readonly string[] = [],
): Readonly<Record<string, boolean>> {
  const names = Object.keys(card.include);
  if (names.length === 0) return NO_GROUPS;
  return Object.fromEntries(names.map((name) => [name, asked.includes(name)]));
}

type Lookup = CardScope["lookup"];

function variables(card: PreparedCard, scope: CardScope, lookup: Lookup): Record<string, unknown> {
  return {
    params: scope.params,
    lookup,
    env: scope.env,
    include: includeFlags(card, scope.include),
    page: scope.page,
    item: scope.item,
  };
}

/**
 * The lookups that found a value. An optional lookup without a result is omitted, because an
 * upstream would treat null as a value.
 */
function found(lookup: Lookup): NonNullable<Lookup> {
  if (lookup === undefined) return NOTHING;
  return Object.fromEntries(Object.entries(lookup).filter(([, value]) => value !== null));
}

/** The scope of request mappings. Its root value has the params, and also `lookup` and `env`. */
export function inputScope(card: PreparedCard, scope: CardScope): MappingScope {
  const lookup = found(scope.lookup);
  return {
    value: merge(scope.params, { lookup, env: scope.env }),
    variables: variables(card, scope, lookup),
    functions: scope.functions,
  };
}

/**
 * The scope of output mappings. Its root value is the answer, and everything else is a variable.
 */
export function outputScope(card: PreparedCard, payload: unknown, scope: CardScope): MappingScope {
  return {
    value: payload,
    variables: variables(card, scope, scope.lookup),
    functions: scope.functions,
  };
}

/** Refuses an unknown field group instead of ignoring it. */
export function checkInclude(card: PreparedCard, asked: readonly string[] = []): void {
  const known = Object.keys(card.include);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [near] = nearestNames(unknown, known, 1);
  const issue = {
    path: "/include",
    message: `${card.id} has no group "${unknown}"`,
    allowed: known,
  };
  throw fail("VALIDATION", issue.message, {
    outcome: "not_applied",
    issues: [near === undefined ? issue : { ...issue, did_you_mean: near }],
  });
}

/** Runs an input mapping. If it cannot handle a value, the error says that the input is invalid. */
export function mapInput<Result>(card: PreparedCard, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const message = `Invalid input for ${card.id}: ${error.at || "input"} ${error.message}`;
    throw fail("VALIDATION", message, { outcome: "not_applied", issues: [error.issue()] });
  }
}

/**
 * Runs an output mapping. If it cannot handle a value, the error says that the upstream's answer
 * is invalid.
 */
export function mapAnswer<Result>(card: PreparedCard, what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const message = `${what} of ${card.id} is not as expected: ${error.at || "answer"} ${error.message}`;
    throw fail(error.code ?? "SERVER", message, { issues: [error.issue()] });
  }
}
