import {
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { GraphQLAbstractType, GraphQLField, GraphQLNamedType, GraphQLSchema } from "graphql";

export interface SelectionLimits {
  /** Maximum depth of objects. */
  readonly depth: number;
  /** Maximum number of fields. */
  readonly fields: number;
}

type Field = GraphQLField<unknown, unknown>;
type Fields = readonly Field[];

function typeFields(type: GraphQLNamedType): Fields {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

const has = (fields: Fields, name: string): boolean => fields.some((field) => field.name === name);

/** Whether these are the fields of a Relay connection, which is a page of a list. */
function isConnection(fields: Fields): boolean {
  return has(fields, "pageInfo") && (has(fields, "nodes") || has(fields, "edges"));
}

/**
 * The default selection of a type: its scalar fields, and those of its objects down to a depth.
 * It omits nested connections, because their size is unbounded, and fields that need arguments.
 */
export class DefaultSelection {
  readonly #schema: GraphQLSchema;
  readonly #depth: number;
  #left: number;

  constructor(schema: GraphQLSchema, { depth, fields }: SelectionLimits) {
    this.#schema = schema;
    this.#depth = depth;
    this.#left = fields;
  }

  /** The selection of a type. Empty for a type without fields. */
  of(type: GraphQLNamedType): string {
    return this.#select(getNamedType(type), 1);
  }

  #select(type: GraphQLNamedType, level: number): string {
    if (isLeafType(type)) return "";
    return `{ ${this.#parts(type, level).join(" ") || "__typename"} }`;
  }

  #parts(type: GraphQLNamedType, level: number): string[] {
    const fields = typeFields(type);
    if (isConnection(fields)) return this.#page(fields, level);
    const own = [...this.#values(fields), ...this.#objects(fields, level)];
    return isAbstractType(type) ? ["__typename", ...own, ...this.#members(type, level)] : own;
  }

  #take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  #values(fields: Fields, named = fieldName): string[] {
    return fields
      .filter((field) => isLeafType(getNamedType(field.type)) && isFree(field) && this.#take())
      .map(named);
  }

  #objects(fields: Fields, level: number, named = fieldName): string[] {
    if (level >= this.#depth) return [];
    return fields.flatMap((field) => {
      const type = getNamedType(field.type);
      if (isLeafType(type) || isConnection(typeFields(type)) || !isFree(field) || !this.#take()) {
        return [];
      }
      const parts = this.#parts(type, level + 1);
      return parts.length === 0 ? [] : [`${named(field)} { ${parts.join(" ")} }`];
    });
  }

  /** For a union, each possible type gets an equal share for the fields that not all types have. */
  #members(type: GraphQLAbstractType, level: number): string[] {
    const common = typeFields(type);
    const types = this.#schema.getPossibleTypes(type);
    const share = Math.ceil(Math.max(0, this.#left) / Math.max(1, types.length));
    const first = firstTypes(types);
    return types.flatMap((member) => {
      const own = typeFields(member).filter(({ name }) => !has(common, name));
      const named = ({ name, type: kind }: Field): string =>
        first.get(name) === String(kind) ? name : `${name}_${member.name}: ${name}`;
      const parts = this.#within(share, () => [
        ...this.#values(own, named),
        ...this.#objects(own, level, named),
      ]);
      return parts.length === 0 ? [] : [`... on ${member.name} { ${parts.join(" ")} }`];
    });
  }

  #within<T>(share: number, work: () => T): T {
    const before = Math.max(0, this.#left);
    const given = Math.min(share, before);
    this.#left = given;
    const done = work();
    this.#left = before - (given - Math.max(0, this.#left));
    return done;
  }

  #page(fields: Fields, level: number): string[] {
    const items = fields.find(({ name }) => name === "nodes");
    const edges = fields.find(({ name }) => name === "edges");
    const node = edges && typeFields(getNamedType(edges.type)).find(({ name }) => name === "node");
    const within = (field: Field): string => this.#select(getNamedType(field.type), level);
    const total = has(fields, "totalCount") ? ["totalCount"] : [];
    const list = items
      ? [`nodes ${within(items)}`]
      : node
        ? [`edges { node ${within(node)} }`]
        : [];
    return [...list, "pageInfo { hasNextPage endCursor }", ...total];
  }
}

function fieldName({ name }: Field): string {
  return name;
}

/**
 * Two types of a union may have a field with the same name and different types. A document can
 * request both only with an alias: `title` of the first, and `title_Film: title` of the other.
 */
function firstTypes(types: readonly GraphQLNamedType[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, type } of types.flatMap(typeFields)) {
    if (!found.has(name)) found.set(name, String(type));
  }
  return found;
}

/**
 * Whether a field needs no arguments and is not deprecated. Introspection has null for missing
 * values.
 */
function isFree({ args, deprecationReason }: Field): boolean {
  return !args.some(isRequiredArgument) && !deprecationReason;
}
