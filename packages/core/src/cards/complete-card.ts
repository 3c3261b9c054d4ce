import { isRecord } from "../envelope/index.ts";
import type { Effect } from "../operation/index.ts";
import type { Card } from "./card.ts";
import { changesSomething } from "./check-effects.ts";
import type { CardDocuments } from "./prepared-document.ts";
import { readCard } from "./read-card.ts";

/** The GraphQL documents that describe the output of a card. */
export interface CardSources {
  readonly documents?: CardDocuments;
  /** The path of field names to the single object or list that a document requests. */
  readonly objectPath?: (document: string) => readonly string[] | undefined;
}

type Part = Readonly<Record<string, unknown>>;

/** Writes a name as a JMESPath identifier. */
function identifier(name: string): string {
  return /^[A-Za-z_]\w*$/u.test(name) ? name : JSON.stringify(name);
}

function readProperties(schema: unknown): Part {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

/** Maps every declared output field to the field with the same name. */
function outputFrom(schema: unknown, path: readonly string[]): unknown {
  const isList = isRecord(schema) && schema["type"] === "array";
  const names = Object.keys(readProperties(isList ? schema["items"] : schema));
  if (names.length === 0) return undefined;
  const from = path.length === 0 ? "@" : path.map(identifier).join(".");
  const fields = Object.fromEntries(names.map((name) => [name, identifier(name)]));
  return { [isList ? "each" : "from"]: from, fields };
}

function withOutput(part: Part, output: unknown): Part {
  return part["output"] !== undefined || output === undefined ? part : { ...part, output };
}

/**
 * Passes `repo` as `gh` expects it, other required inputs as arguments, and optional inputs as
 * flags.
 */
function commandInputs(schema: unknown): Part {
  const properties = readProperties(schema);
  const required = isRecord(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  const repository = ["repo", "name"].find((name) => Object.hasOwn(properties, name));
  const hasRepository = Object.hasOwn(properties, "owner") && repository !== undefined;
  const others = Object.keys(properties).filter(
    (name) => !hasRepository || (name !== "owner" && name !== repository),
  );
  const flags = others
    .filter((name) => !required.includes(name))
    .map((name) => [name.replaceAll("_", "-"), identifier(name)]);
  const positionals = others.filter((name) => required.includes(name)).map(identifier);
  return {
    flags: {
      ...(hasRepository && { repo: { text: `{owner}/{${repository}}` } }),
      ...Object.fromEntries(flags),
    },
    ...(positionals.length > 0 && { positionals }),
  };
}

function completeCommand(part: Part, card: Part): Part {
  if (part["jsonFields"] === undefined) return part;
  const isOpen = part["flags"] === undefined && part["positionals"] === undefined;
  const inputs = isOpen ? commandInputs(card["input_schema"]) : {};
  return withOutput({ ...inputs, ...part }, outputFrom(card["output_schema"], []));
}

function completeRest({ endpoints, ...part }: Part, card: Part): Part {
  const [endpoint] = Array.isArray(endpoints) ? (endpoints as unknown[]) : [];
  const single = isRecord(endpoint) ? endpoint : {};
  return withOutput({ ...single, ...part }, outputFrom(card["output_schema"], []));
}

function completeGraphql(part: Part, card: Part, { objectPath }: CardSources): Part {
  const path = objectPath?.(String(part["documentPath"]));
  return path === undefined ? part : withOutput(part, outputFrom(card["output_schema"], path));
}

function eachPart(written: unknown, complete: (part: Part) => Part): unknown {
  if (Array.isArray(written)) return written.map((part) => eachPart(part, complete));
  return isRecord(written) ? complete(written) : written;
}

/**
 * The effect of a card that does not declare one: `read` if none of its requests can change
 * anything.
 */
function deriveEffect(card: Part, { documents }: CardSources): { effect?: Effect } {
  if (card["steps"] !== undefined || card["code"] !== undefined) return {};
  if (documents === undefined) return {};
  try {
    const read = readCard({ ...card, effect: "read" } as unknown as Card, documents);
    const parts = Object.values(read.prepared.parts).flat();
    return { effect: parts.some(changesSomething) ? "write" : "read" };
  } catch {
    return {};
  }
}

/** Fills in the parts that a card may omit: its effect, and mappings between equal names. */
export function completeCard(value: unknown, sources: CardSources): unknown {
  if (!isRecord(value)) return value;
  const parts = {
    graphql: eachPart(value["graphql"], (part) => completeGraphql(part, value, sources)),
    rest: eachPart(value["rest"], (part) => completeRest(part, value)),
    cli: eachPart(value["cli"], (part) => completeCommand(part, value)),
  };
  const present = Object.entries(parts).filter(([, part]) => part !== undefined);
  const card = { ...value, ...Object.fromEntries(present) };
  return "effect" in card ? card : { ...card, ...deriveEffect(card, sources) };
}
