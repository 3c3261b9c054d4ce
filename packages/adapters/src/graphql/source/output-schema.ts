import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import {
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
} from "graphql";
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLOutputType,
  GraphQLSchema,
  GraphQLType,
  SelectionSetNode,
} from "graphql";
import { bareSchema, orNull } from "./type-schema.ts";

/** The fragments of a document by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

interface Shape {
  readonly properties: Record<string, JsonSchema>;
  readonly required: Set<string>;
}

/** Derives the JSON Schema of an answer from its selection. */
export class OutputSchemas {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #isDefault: boolean;

  /**
   * None of the fields of a default selection is required, because a caller may replace the
   * selection.
   */
  constructor(schema: GraphQLSchema, fragments: Fragments, isDefault = false) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#isDefault = isDefault;
  }

  ofSelection(type: GraphQLType, selection: SelectionSetNode): JsonSchemaObject {
    const shape: Shape = { properties: {}, required: new Set() };
    this.#collect(type, selection, shape, true);
    const { properties, required } = shape;
    if (!this.#isDefault) return { type: "object", required: [...required], properties };
    return { type: "object", properties: { ...properties, ...otherFields(type, properties) } };
  }

  ofField(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchemaObject {
    const inner = getNullableType(type);
    const schema = isListType(inner)
      ? { type: "array", items: this.ofField(inner.ofType, selection) }
      : this.#ofNamed(inner, selection);
    return isNonNullType(type) ? schema : orNull(schema);
  }

  #ofNamed(type: GraphQLType, selection: SelectionSetNode | undefined): JsonSchemaObject {
    if (selection !== undefined) return this.ofSelection(type, selection);
    // A field without a selection is a scalar, because validation refuses an object without fields.
    return bareSchema(type, new Map());
  }

  /** Only unconditional fields are required, because a conditional field may be missing. */
  #collect(
    type: GraphQLType | undefined,
    { selections }: SelectionSetNode,
    shape: Shape,
    isSure: boolean,
  ): void {
    for (const selection of selections) {
      const sure = isSure && (selection.directives ?? []).length === 0;
      if (selection.kind === Kind.FIELD) this.#addField(type, selection, shape, sure);
      else {
        const part =
          selection.kind === Kind.INLINE_FRAGMENT
            ? selection
            : this.#fragments.get(selection.name.value);
        if (part === undefined) continue;
        const named = part.typeCondition && typeFromAST(this.#schema, part.typeCondition);
        const inner = named ?? type;
        this.#collect(inner, part.selectionSet, shape, sure && this.#covers(inner, type));
      }
    }
  }

  /** Whether every value of type `outer` is also of type `inner`. */
  #covers(inner: GraphQLType | undefined, outer: GraphQLType | undefined): boolean {
    if (inner === outer) return true;
    if (!isAbstractType(inner) || !(isObjectType(outer) || isInterfaceType(outer))) return false;
    return this.#schema.isSubType(inner, outer);
  }

  #addField(type: GraphQLType | undefined, node: FieldNode, shape: Shape, isSure: boolean): void {
    const name = node.alias?.value ?? node.name.value;
    const found =
      isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    const schema =
      found === undefined
        ? { type: "string" }
        : this.ofField(found.type, node.selectionSet ?? undefined);
    shape.properties[name] = this.#merged(shape.properties[name], schema, node);
    if (isSure) shape.required.add(name);
  }

  /** Merges the schemas of a field that is selected twice. */
  #merged(known: JsonSchema | undefined, schema: JsonSchemaObject, node: FieldNode): JsonSchema {
    if (known === undefined || typeof known === "boolean") return schema;
    return node.selectionSet === undefined ? known : mergeShapes(known, schema);
  }
}

/** The other fields of a type, by name. A caller may select them. */
function otherFields(type: GraphQLType, known: object): Record<string, JsonSchema> {
  if (!isObjectType(type) && !isInterfaceType(type)) return {};
  const names = Object.keys(type.getFields()).filter((name) => !Object.hasOwn(known, name));
  return Object.fromEntries(names.map((name) => [name, {}]));
}

const asObject = (value: unknown): Record<string, JsonSchema> =>
  (value ?? {}) as Record<string, JsonSchema>;

function mergeShapes(one: JsonSchemaObject, other: JsonSchemaObject): JsonSchemaObject {
  if ("items" in one && "items" in other) {
    const items = mergeShapes(one["items"] as JsonSchemaObject, other["items"] as JsonSchemaObject);
    return { ...one, items };
  }
  const properties = { ...asObject(one["properties"]) };
  for (const [name, schema] of Object.entries(asObject(other["properties"]))) {
    const known = properties[name];
    properties[name] =
      typeof known === "object" && typeof schema === "object" ? mergeShapes(known, schema) : schema;
  }
  const required = new Set([
    ...((one["required"] as string[] | undefined) ?? []),
    ...((other["required"] as string[] | undefined) ?? []),
  ]);
  return { ...one, ...(required.size > 0 && { required: [...required] }), properties };
}
