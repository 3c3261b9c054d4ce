import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import type { GraphQLField, GraphQLNamedType } from "graphql";

export interface SelectionLimits {
  /** How deep objects are followed. */
  readonly depth: number;
  /** How many fields in all. */
  readonly fields: number;
}

type Fields = readonly GraphQLField<unknown, unknown>[];

function fieldsOf(type: GraphQLNamedType): Fields {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

const has = (fields: Fields, name: string): boolean => fields.some((field) => field.name === name);

/** A page of a list in the Relay manner. */
function isConnection(fields: Fields): boolean {
  return has(fields, "pageInfo") && (has(fields, "nodes") || has(fields, "edges"));
}

/**
 * What is selected of a type when nobody says: its plain values, and those of the objects in it down
 * to a depth. Pages within are left out, for their size is not known; so is what needs arguments.
 */
export class DefaultSelection {
  readonly #depth: number;
  #left: number;

  constructor({ depth, fields }: SelectionLimits) {
    this.#depth = depth;
    this.#left = fields;
  }

  /** Empty for what has no fields. */
  of(type: GraphQLNamedType): string {
    return this.#select(getNamedType(type), 1);
  }

  #select(type: GraphQLNamedType, level: number): string {
    if (isLeafType(type)) return "";
    if (isUnionType(type)) return "{ __typename }";
    const fields = fieldsOf(type);
    const parts = isConnection(fields)
      ? this.#page(fields, level)
      : [...this.#values(fields), ...this.#objects(fields, level)];
    const name = isInterfaceType(type) ? ["__typename"] : [];
    return `{ ${[...name, ...parts].join(" ") || "__typename"} }`;
  }

  #take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  #values(fields: Fields): string[] {
    return fields
      .filter((field) => isLeafType(getNamedType(field.type)) && isFree(field) && this.#take())
      .map(({ name }) => name);
  }

  #objects(fields: Fields, level: number): string[] {
    if (level >= this.#depth) return [];
    return fields.flatMap((field) => {
      const type = getNamedType(field.type);
      const inner = fieldsOf(type);
      if (inner.length === 0 || isConnection(inner) || !isFree(field) || !this.#take()) return [];
      const nested = this.#values(inner);
      const deeper = this.#objects(inner, level + 1);
      const parts = [...nested, ...deeper];
      return parts.length === 0 ? [] : [`${field.name} { ${parts.join(" ")} }`];
    });
  }

  #page(fields: Fields, level: number): string[] {
    const items = fields.find(({ name }) => name === "nodes");
    const edges = fields.find(({ name }) => name === "edges");
    const node = edges && fieldsOf(getNamedType(edges.type)).find(({ name }) => name === "node");
    const within = (type: GraphQLField<unknown, unknown>): string =>
      this.#select(getNamedType(type.type), level);
    const total = has(fields, "totalCount") ? ["totalCount"] : [];
    const list = items
      ? [`nodes ${within(items)}`]
      : node
        ? [`edges { node ${within(node)} }`]
        : [];
    return [...list, "pageInfo { hasNextPage endCursor }", ...total];
  }
}

/** An introspection says null where SDL says nothing. */
function isFree({ args, deprecationReason }: GraphQLField<unknown, unknown>): boolean {
  return !args.some(isRequiredArgument) && !deprecationReason;
}
