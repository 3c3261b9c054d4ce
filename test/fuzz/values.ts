import {
  anything,
  array,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  record,
  sample,
  string,
  tuple,
} from "fast-check";
import type { Arbitrary } from "fast-check";

/** Strings with a special meaning to some part of Waybill, and some ordinary ones. */
const TEXTS = [
  "",
  "@",
  "s0",
  "s0.data",
  "*",
  "a.b",
  "[].x",
  "not_null(@)",
  "trim(@)",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "value.any",
  "value.typed",
  "-1",
  "12345678901234567890",
  "\u0000",
  "\ud800",
  "\u202e",
  "{{s0.data}}",
  "${env:HOME}",
  "^(a+)+$",
  "(?<!a)b",
  "#/$defs/x",
];

export const oddText: Arbitrary<string> = oneof(
  constantFrom(...TEXTS),
  string({ maxLength: 12 }),
  string({ unit: "binary", maxLength: 6 }),
);
const names = oneof(
  oddText,
  constantFrom("id", "title", "input", "task", "$from", "$text", "$literal"),
);

/** Any JSON, with special names and strings. */
export const oddJson: Arbitrary<unknown> = oneof(
  { maxDepth: 3 },
  oddText,
  jsonValue({ maxDepth: 2 }),
  integer(),
  constantFrom(null, true, false, -0, 1e308, 2 ** 53),
  dictionary(names, oneof(oddText, jsonValue({ maxDepth: 1 })), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
  array(oneof(oddText, integer()), { maxLength: 4 }),
);

/** Any value of JavaScript, as a program may pass one. */
export const oddValue: Arbitrary<unknown> = oneof(
  oddJson,
  anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    maxDepth: 2,
  }),
);

/** Valid options. */
const SOUND_OPTIONS = {
  trace: constantFrom(true, false),
  max_tokens: integer({ min: 200, max: 600 }),
  select: array(constantFrom("id", "title", "a.b", "*.x", "__proto__"), { maxLength: 2 }),
  query: constantFrom("@", "id", "keys(@)", "[].x", "to_string(@)", "not_null(@)"),
  deadline_ms: constant(60_000),
  idempotency_key: oneof(constantFrom("k1", "k2"), string({ minLength: 1, maxLength: 8 })),
  dry_run: constantFrom(true, false),
};
const ODD_OPTIONS = {
  ...SOUND_OPTIONS,
  trace: oddJson,
  max_tokens: oddJson,
  select: oneof(array(oddText, { maxLength: 3 }), oddJson),
  query: oddText,
  page: oneof(record({ cursor: oddText, limit: integer() }), oddJson),
  include: oneof(array(oddText, { maxLength: 2 }), oddJson),
  deadline_ms: oddJson,
  idempotency_key: oddText,
  route: constantFrom("rest", "graphql", "local", "telepathy"),
  approve: oddText,
};
const OPTION_NAMES = Object.keys(ODD_OPTIONS) as (keyof typeof ODD_OPTIONS)[];

/** One option with any value, alone or beside valid ones. */
const oneOddOption = constantFrom(...OPTION_NAMES).chain((name) =>
  ODD_OPTIONS[name].map((value: unknown) => ({ [name]: value })),
);
export const oddOptions: Arbitrary<unknown> = oneof(
  { weight: 3, arbitrary: constant({}) },
  { weight: 6, arbitrary: record(SOUND_OPTIONS, { requiredKeys: [] }) },
  { weight: 4, arbitrary: oneOddOption },
  { weight: 1, arbitrary: record(ODD_OPTIONS, { requiredKeys: [] }) },
  { weight: 1, arbitrary: oddJson },
);

/** Inputs that the strict operation accepts or almost accepts. */
export const nearlyTyped: Arbitrary<unknown> = record(
  {
    id: oneof(integer(), constantFrom("12", "12345678901234567890", 1.5, null)),
    title: oneof(constantFrom("ab", "", "abba"), oddText),
    either: oneof(constantFrom("x", [{ id: 1 }], [[]]), oddJson),
    state: oneof(constantFrom("open", "closed"), oddText),
    xx: oneof(constantFrom("y"), oddJson),
  },
  { requiredKeys: ["id"] },
);

const reference = oneof(
  constantFrom("a.data", "b.data", "a", "s0.data", "@", "a.data.id", "keys(@)"),
  oddText,
);
const input = oneof(
  oddJson,
  nearlyTyped,
  dictionary(
    names,
    oneof(
      oddJson,
      record({ $from: reference }),
      record({ $from: reference, default: oddJson }),
      record({ $text: oddText }),
      record({ $literal: oddJson }),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
);
const TASKS = oneof(
  { weight: 6, arbitrary: constant("value.any") },
  { weight: 1, arbitrary: constantFrom("value.typed", "value.write") },
  { weight: 1, arbitrary: constant("nothing.here") },
);
const plainStep = record({ task: TASKS, input });
const namedStep = (id: string): Arbitrary<unknown> =>
  record({ id: constant(id), task: TASKS, input });
const oddStep = record(
  {
    id: oneof(constantFrom("a", "b", "c"), oddText),
    task: TASKS,
    input,
    when: oddText,
    select: oneof(array(oddText, { maxLength: 2 }), oddJson),
    idempotency_key: oddText,
  },
  { requiredKeys: ["task"] },
);
export const oddSteps: Arbitrary<unknown> = oneof(
  { weight: 4, arbitrary: array(plainStep, { minLength: 1, maxLength: 4 }) },
  { weight: 6, arbitrary: tuple(namedStep("a"), namedStep("b"), namedStep("c")) },
  { weight: 3, arbitrary: array(oddStep, { maxLength: 4 }) },
  { weight: 1, arbitrary: array(oddJson, { maxLength: 3 }) },
  { weight: 1, arbitrary: oddJson },
);

const CHUNK = 250;

/** Generates `count` values, a few at a time. The same seed gives the same values. */
export function* values<Value>(
  arbitrary: Arbitrary<Value>,
  count: number,
  seed: number,
): Generator<Value> {
  for (let made = 0; made < count; made += CHUNK) {
    yield* sample(arbitrary, { numRuns: Math.min(CHUNK, count - made), seed: seed + made });
  }
}

function nodesIn(value: unknown, found: object[] = []): object[] {
  if (typeof value !== "object" || value === null) return found;
  found.push(value);
  for (const member of Object.values(value)) nodesIn(member, found);
  return found;
}

export interface Mutation {
  readonly places: readonly number[];
  readonly values: readonly unknown[];
  readonly isRemoval: boolean;
}
export const mutation: Arbitrary<Mutation> = record({
  places: array(integer({ min: 0, max: 100_000 }), { minLength: 2, maxLength: 6 }),
  values: array(oddJson, { minLength: 1, maxLength: 3 }),
  isRemoval: constantFrom(true, false, false, false),
});

/** A copy of a document in which some members are replaced or removed. */
export function mutated(document: object, { places, values: given, isRemoval }: Mutation): object {
  const copy = structuredClone(document);
  for (let at = 0; at + 1 < places.length; at += 2) {
    const nodes = nodesIn(copy);
    const node = nodes[places[at]! % nodes.length] as Record<string, unknown>;
    const keys = Object.keys(node);
    const key = keys[places[at + 1]! % Math.max(1, keys.length)] ?? "added";
    if (isRemoval) delete node[key];
    else node[key] = structuredClone(given[at % given.length]);
  }
  return copy;
}
