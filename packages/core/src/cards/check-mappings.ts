import { pointerKey } from "../schema/index.ts";
import type { Card } from "./card.ts";
import { cardMappings } from "./card-uses.ts";
import type { LocatedMapping } from "./card-uses.ts";
import { inputNames, withNearest } from "./check-names.ts";
import type { Finding } from "./finding.ts";
import { lookupsBefore } from "./lookups.ts";
import type { PreparedMapping, Use } from "./mapping/index.ts";
import { readCalls, isKeys, readUses } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";

const FLAG = /^[a-z][a-z0-9-]+$/;

/** The members that each variable has. Undefined if any name is allowed. */
type Known = Readonly<Record<string, readonly string[] | undefined>>;

function useFinding({ variable, keys }: Use, pointer: string, known: Known): Finding[] {
  const names = known[variable];
  const [name] = keys;
  if (variable === "lookup" && pointer.startsWith("/verify/")) {
    return [
      {
        pointer,
        message: "must not use a lookup, because this read may run later in another process",
      },
    ];
  }
  if (names === undefined || typeof name !== "string" || names.includes(name)) return [];
  if (pointer === "/verify/same" && name === "viewer") return [];
  const what = { params: "input", lookup: "lookup", include: "include" }[variable] ?? variable;
  return [{ pointer, message: withNearest(`there is no ${what} "${name}"`, name, names) }];
}

function callFindings(
  located: LocatedMapping,
  functions: ReadonlySet<string> | undefined,
): Finding[] {
  if (functions === undefined) return [];
  return readCalls(located.mapping)
    .filter((name) => !functions.has(name))
    .map((name) => ({
      pointer: located.pointer,
      message: withNearest(`there is no function "${name}"`, name, functions),
    }));
}

/** Names of inputs that hold long text. */
const LONG_TEXTS = /^(?:body|comment|contents?|message|notes|text)$/u;
const LONG_TEXT =
  "may be long or private, and other users can see command lines; pass it on standard input, for example with --body-file=-";

function isLongText(mapping: PreparedMapping): boolean {
  return readUses(mapping, true).some(
    ({ variable, keys }) => variable === "params" && LONG_TEXTS.test(String(keys[0])),
  );
}

function flagFinding(pointer: string, name: string, mapping: PreparedMapping): Finding[] {
  const at = `${pointer}/${name}`;
  if (!FLAG.test(name))
    return [
      { pointer: at, message: 'is not the long name of a flag, such as "title" for --title' },
    ];
  const isConstant = !isKeys(mapping) && mapping.is === "constant";
  const isLong = isLongText(mapping) || (LONG_TEXTS.test(name) && !isConstant);
  return isLong ? [{ pointer: at, message: LONG_TEXT }] : [];
}

/** Checks the arguments of a command line. */
function argumentFindings({ pointer, mapping }: LocatedMapping): Finding[] {
  if (pointer.endsWith("/positionals") && isLongText(mapping))
    return [{ pointer, message: LONG_TEXT }];
  if (!pointer.endsWith("/flags")) return [];
  if (isKeys(mapping) || mapping.is !== "object")
    return [{ pointer, message: "must be an object of flags" }];
  return mapping.fields.flatMap(([name, field]) => flagFinding(pointer, name, field));
}

/** Whether a lookup depends on itself. */
function isOnCircle(prepared: PreparedCard, start: string): boolean {
  const known = (names: readonly string[]): string[] =>
    names.filter((name) => Object.hasOwn(prepared.lookups, name));
  const met = new Set(known(lookupsBefore(prepared, start)));
  for (const name of met) for (const other of known(lookupsBefore(prepared, name))) met.add(other);
  return met.has(start);
}

function circleFindings(prepared: PreparedCard): Finding[] {
  return Object.keys(prepared.lookups)
    .filter((name) => isOnCircle(prepared, name))
    .map((name) => ({
      pointer: `/lookup${pointerKey(name)}`,
      message: `depends on itself, through ${lookupsBefore(prepared, name).join(", ")}`,
    }));
}

function unusedLookups(prepared: PreparedCard, uses: readonly Use[]): Finding[] {
  const taken = uses.filter(({ variable }) => variable === "lookup");
  if (taken.some(({ keys }) => keys.length === 0)) return [];
  const used = new Set(taken.map(({ keys }) => keys[0]));
  return Object.keys(prepared.lookups)
    .filter((name) => !used.has(name))
    .map((name) => ({
      pointer: `/lookup/${name}`,
      message: "is not used by any route; use it or remove it",
    }));
}

/** Conditions see `{params, env}`, so an input name without `params.` would never be true. */
function predicateFindings(
  prepared: PreparedCard,
  inputs: readonly string[] | undefined,
): Finding[] {
  return prepared.suitability.flatMap(({ predicate }, index) => {
    const pointer = `/routing/suitability/${index}/predicate`;
    const bare = readUses(predicate, true).filter(({ variable }) => variable === "params");
    return bare.flatMap(({ keys: [root, name] }) => {
      if (root !== "params") {
        return [{ pointer, message: `"${root}" must be written params.${root} or env.${root}` }];
      }
      const use: Use = { variable: "params", keys: name === undefined ? [] : [name] };
      return useFinding(use, pointer, { params: inputs });
    });
  });
}

/** Finds names in a card's expressions that do not exist. */
export function mappingFindings(
  card: Card,
  prepared: PreparedCard,
  functions: ReadonlySet<string> | undefined,
): Finding[] {
  const known: Known = {
    params: inputNames(card),
    lookup: Object.keys(prepared.lookups),
    include: Object.keys(prepared.include),
  };
  const mappings = cardMappings(card, prepared);
  const usesAt = mappings.map(({ mapping, seesParams }) => readUses(mapping, seesParams));
  const findings = mappings.flatMap((located, index) => [
    ...usesAt[index]!.flatMap((use) => useFinding(use, located.pointer, known)),
    ...callFindings(located, functions),
    ...argumentFindings(located),
  ]);
  return [
    ...findings,
    ...predicateFindings(prepared, known["params"]),
    ...circleFindings(prepared),
    ...unusedLookups(prepared, usesAt.flat()),
  ];
}
