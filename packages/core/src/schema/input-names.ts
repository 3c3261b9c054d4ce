import { isRecord } from "../envelope/index.ts";
import type { JsonSchema } from "../envelope/index.ts";
import { isSchema, resolveRef } from "./pointer.ts";
import { listIn, recordOrEmpty, declaredTypes } from "./types.ts";

/**
 * If an object has more schemas than this, any name is accepted, because a name is refused only
 * if all names were read.
 */
const MAX_SCHEMAS = 10_000;
/**
 * The maximum number of objects, because a recursive schema can have any number. Objects beyond
 * it accept any name.
 */
const MAX_OBJECTS = 10_000;

const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["if", "then", "else"];
const OPENERS = ["additionalProperties", "unevaluatedProperties"];
/** Schemas that apply if a member is given; `dependencies` is the keyword of older drafts. */
const DEPENDENT = ["dependentSchemas", "dependencies"];
/** Schemas of the items that have no schema of their own; one is the keyword of older drafts. */
const OTHER_ITEMS = ["additionalItems", "unevaluatedItems"];
const INNER = [
  "properties",
  "items",
  "prefixItems",
  "patternProperties",
  ...OTHER_ITEMS,
  ...OPENERS,
];
/** Keywords that require members without listing their names. */
const EXPECTING = ["required", "minProperties", "propertyNames", "dependentRequired"];
/** A schema without any of these keywords contains no object or list with names. */
const NESTING = [...INNER, ...LISTS, ...SINGLES, "$ref", ...DEPENDENT];

interface Members {
  readonly [keyword: string]: unknown;
  readonly items?: unknown;
  readonly prefixItems?: unknown;
  readonly properties?: unknown;
}

/** All schemas for the same value, from every branch. */
function branches(root: JsonSchema, schema: Members): JsonSchema[] {
  const target = "$ref" in schema ? resolveRef(root, schema) : undefined;
  return [
    ...LISTS.flatMap((keyword) => listIn(schema[keyword])),
    ...SINGLES.map((keyword) => schema[keyword]),
    ...DEPENDENT.flatMap((keyword) => Object.values(recordOrEmpty(schema[keyword]))),
    target,
  ].filter(isSchema);
}

function mayHold(schema: JsonSchema): boolean {
  return isRecord(schema) && NESTING.some((keyword) => Object.hasOwn(schema, keyword));
}

/** Whether one of several forms is an object that says nothing of its members. */
function hasBareForm(root: JsonSchema, schema: Members): boolean {
  const forms = [...listIn(schema["anyOf"]), ...listIn(schema["oneOf"])].filter(isSchema);
  return forms.some((form) => {
    const resolved = resolveRef(root, form);
    if (!isRecord(resolved) || !declaredTypes(resolved).includes("object")) return false;
    return ![...NESTING, ...EXPECTING].some((keyword) => Object.hasOwn(resolved, keyword));
  });
}

/** The names that one object of an input may have, collected from all branches. */
export class ObjectNames {
  readonly #tree: NameTree;
  readonly #members = new Map<string, Set<JsonSchema>>();
  readonly #items = new Set<JsonSchema>();
  /** Schemas of members that are not listed by name. */
  readonly #others = new Set<JsonSchema>();
  #hasList = false;
  #isOpen = false;
  #hasBareForm = false;
  /** Whether the schema says that the value is an object, and whether it requires members. */
  #isObject = false;
  #expectsMembers = false;
  /** Whether a value inside may be an object or a list. */
  readonly hasInner: boolean;

  constructor(tree: NameTree, schemas: Iterable<JsonSchema>) {
    this.#tree = tree;
    const [seen, queue] = [new Set<JsonSchema>(), [...schemas]];
    while (queue.length > 0) {
      const schema = queue.pop()!;
      if (seen.has(schema) || !isRecord(schema)) continue;
      seen.add(schema);
      this.#read(schema);
      if (seen.size < MAX_SCHEMAS) queue.push(...branches(tree.root, schema));
      else this.#isOpen = true;
    }
    const inside = [...this.#members.values(), this.#items, this.#others];
    this.hasInner = inside.some((found) => [...found].some(mayHold));
  }

  /** Every declared name. Undefined if any name is accepted. */
  get names(): ReadonlySet<string> | undefined {
    return this.#hasBareForm ? undefined : this.#listed;
  }

  /**
   * Like `names`, for the whole input. Unlike an inner object, an input that declares no names
   * accepts none.
   */
  get inputs(): ReadonlySet<string> | undefined {
    const isBare = this.#isObject && !this.#expectsMembers && !this.#hasList;
    return isBare && !this.#isOpen ? new Set() : this.#listed;
  }

  get #listed(): ReadonlySet<string> | undefined {
    return this.#isOpen || !this.#hasList ? undefined : new Set(this.#members.keys());
  }

  takes(name: string): boolean {
    return this.#isOpen || this.#hasBareForm || !this.#hasList || this.#members.has(name);
  }

  /** The names inside a member whose value is an object or a list. Undefined if nothing is declared. */
  member(name: string): ObjectNames | undefined {
    return this.#tree.place(this.#members.get(name) ?? this.#others);
  }

  item(): ObjectNames | undefined {
    return this.#tree.place(this.#items);
  }

  #read(schema: Members): void {
    this.#isObject ||= declaredTypes(schema).includes("object");
    this.#isOpen ||= "$dynamicRef" in schema;
    this.#hasBareForm ||= hasBareForm(this.#tree.root, schema);
    this.#expectsMembers ||= EXPECTING.some((keyword) => keyword in schema);
    const { items, prefixItems, properties } = schema;
    const others = OTHER_ITEMS.map((keyword) => schema[keyword]);
    for (const item of [items, ...listIn(items), ...listIn(prefixItems), ...others]) {
      if (isSchema(item)) this.#items.add(item);
    }
    this.#readOpeners(schema);
    if (!isRecord(properties)) return;
    this.#hasList = true;
    for (const [name, member] of Object.entries(properties)) {
      const known = this.#members.get(name) ?? new Set();
      this.#members.set(name, isSchema(member) ? known.add(member) : known);
    }
  }

  /**
   * Whether a keyword forbids names that are not listed. Only `false` does; any other value
   * allows them.
   */
  #readOpeners(schema: Members): void {
    const patterns = Object.values(recordOrEmpty(schema["patternProperties"]));
    const rest = OPENERS.map((keyword) => schema[keyword] ?? false);
    const open = [...patterns, ...rest].filter((value) => value !== false);
    this.#isOpen ||= open.length > 0;
    for (const schemaOfRest of open) if (isSchema(schemaOfRest)) this.#others.add(schemaOfRest);
  }
}

/**
 * The names of an input and of every object in it. Each object's names are read when an input
 * contains it.
 */
export class NameTree {
  readonly root: JsonSchema;
  readonly #ids = new Map<JsonSchema, number>();
  readonly #places = new Map<string, ObjectNames>();

  constructor(root: JsonSchema) {
    this.root = root;
  }

  place(schemas: ReadonlySet<JsonSchema>): ObjectNames | undefined {
    if (schemas.size === 0) return undefined;
    const key = [...schemas].map((schema) => this.#idFor(schema)).join(",");
    const known = this.#places.get(key);
    if (known !== undefined || this.#places.size >= MAX_OBJECTS) return known;
    const made = new ObjectNames(this, schemas);
    this.#places.set(key, made);
    return made;
  }

  #idFor(schema: JsonSchema): number {
    const known = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, known);
    return known;
  }
}

/** Reads the names that an input may have, including those of the objects in it. */
export function readInputNames(schema: JsonSchema): ObjectNames {
  return new ObjectNames(new NameTree(schema), [schema]);
}

/** Every name that an input may have. Undefined if the schema accepts any name. */
export function inputNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  return readInputNames(schema).inputs;
}
