import { lackingPaths, mapOutput } from "../cards/index.ts";
import type { CardRouteName, CardScope, PreparedCard } from "../cards/index.ts";
import { errorFromUnknown, fail, isRecord, merge } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import type { FieldError, RouteAnswer } from "./route.ts";

type AnswerPath = FieldError["path"];

/**
 * Whether a null at `path` explains a missing value. In GraphQL, a null hides everything below it,
 * and a null that the schema does not allow makes its parent null.
 */
function leadsTo(path: AnswerPath, place: AnswerPath): boolean {
  const length = Math.min(path.length, place.length);
  return place.slice(0, length).every((key, index) => key === path[index]);
}

/** The outcome of a write is reported even if the rest of its answer is unusable. */
function applied(thrown: unknown, partial: unknown): CallError {
  return errorFromUnknown(thrown).with({ outcome: "applied", partial }, { cause: thrown });
}

/** The error of a field that explains why a required field is missing, if there is one. */
function getLack(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
  data: unknown,
  fieldErrors: readonly FieldError[],
): CallError | undefined {
  if (fieldErrors.length === 0) return undefined;
  const places = lackingPaths(card, route, scope, data);
  return fieldErrors.find(({ path }) => places.some((place) => leadsTo(path, place)))?.error;
}

/** GraphQL only returns null for an object that does not exist. */
function isNothing(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
  data: unknown,
  missing: readonly string[],
): boolean {
  if (card.effect !== "read" || data !== null || missing.includes("")) return false;
  return lackingPaths(card, route, scope, data).length > 0;
}

/** A warning for each field that says that the output is incomplete, such as `filesTruncated`. */
function cutWarnings(data: unknown): string[] {
  if (!isRecord(data)) return [];
  const fields = Object.keys(data).filter(
    (name) => /truncated$/i.test(name) && data[name] === true,
  );
  return fields.map((name) => `"${name}" is true: this answer is incomplete`);
}

/** Removes the changes, because their positions are in the raw answer, which callers do not see. */
function withoutChanges(meta: ResponseEnvelope["meta"]): ResponseEnvelope["meta"] {
  if (meta.changes === undefined) return meta;
  const { changes: _changes, ...others } = meta;
  return others;
}

function mapped(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
  answer: RouteAnswer,
): RouteAnswer {
  const { response: raw, nextCursor, fieldErrors = [] } = answer;
  // An answer without a next page is the last page.
  const page = { endCursor: nextCursor ?? null };
  const { data, missing } = mapOutput(card, route, raw.data, merge(scope, { page }));
  const lack = getLack(card, route, scope, data, fieldErrors);
  if (lack !== undefined) throw lack;
  if (isNothing(card, route, scope, data, missing)) {
    throw fail("NOT_FOUND", `${card.id} found no object for these inputs`, { unnamed: true });
  }
  const noted = missing.map((path) => `the ${route} answer has no ${path}`);
  const warnings = [...(raw.meta.warnings ?? []), ...noted, ...cutWarnings(data)];
  const meta = warnings.length === 0 ? raw.meta : { ...raw.meta, warnings };
  return { ...answer, response: { data, meta: withoutChanges(meta) } };
}

/**
 * Maps the answer to the card's output. If that fails for a write, the error says that the write
 * was applied.
 */
export function mapAnswer(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
  answer: RouteAnswer,
): RouteAnswer {
  if (card.effect === "read") return mapped(card, route, scope, answer);
  try {
    return mapped(card, route, scope, answer);
  } catch (thrown) {
    throw applied(thrown, answer.response.data);
  }
}
