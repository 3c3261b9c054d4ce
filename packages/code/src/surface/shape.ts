import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";
import type { ResultShape, Shape } from "../sandbox/index.ts";
import { listMember, otherMembers } from "./lists.ts";
import { resultSchema } from "./result-schema.ts";

const MAX_DEPTH = 10;

type Members = Readonly<Record<string, unknown>>;

/** The alternatives of a schema, such as `anyOf`, without null. */
function listForms(schema: Members): readonly unknown[] {
  const lists = ["anyOf", "oneOf", "allOf"].map((keyword) => schema[keyword]);
  return lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
}

function takesOthers(schema: Members): boolean {
  const others = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  return (others !== undefined && others !== false) || schema["patternProperties"] !== undefined;
}

function ownShape(schema: Members, depth: number): Shape {
  const { items, properties } = schema as { items?: unknown; properties?: unknown };
  if (items !== undefined) return { items: buildShape(items, depth + 1) };
  if (!isRecord(properties) || takesOthers(schema)) return null;
  const props = Object.entries(properties).map(
    ([name, member]) => [name, buildShape(member, depth + 1)] as const,
  );
  return props.length === 0 ? null : { props: Object.fromEntries(props) };
}

/** Merges the members of all alternatives, because a program may read any of them. */
function mergedShape(shapes: readonly Shape[]): Shape {
  const known = shapes.filter((shape) => shape !== null);
  const [first] = known;
  if (first === undefined) return null;
  if (known.length === 1) return first;
  const all = known.map((shape) => ("props" in shape ? shape.props : undefined));
  return all.every((props) => props !== undefined)
    ? { props: Object.assign({}, ...all) as Record<string, Shape> }
    : null;
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && (schema["type"] === "null" || schema["const"] === null);
}

function buildShape(schema: unknown, depth: number): Shape {
  if (!isRecord(schema) || depth > MAX_DEPTH) return null;
  const forms = listForms(schema).filter((form) => !isNull(form));
  const shapes = forms.map((form) => buildShape(form, depth + 1));
  // If one alternative allows any member, all do.
  if (forms.length > 0 && shapes.includes(null) && schema["allOf"] === undefined) return null;
  return mergedShape([ownShape(schema, depth), ...shapes]);
}

function itemShape(data: Shape, member: string): Shape {
  const list = data === null || member === "" ? data : "props" in data ? data.props[member] : null;
  return list !== null && list !== undefined && "items" in list ? list.items : null;
}

/** A member can also be read by its names in other APIs, as with `select`. */
function withNames(shape: Shape, { otherFields = {} }: OperationSpec): Shape {
  if (shape === null || !("props" in shape)) return shape;
  const { props } = shape;
  const names = Object.entries(otherFields).flatMap(([own, others]) =>
    Object.hasOwn(props, own) ? others.map((other) => [other, own] as const) : [],
  );
  // If two members have the same alias, the first one is read.
  return names.length === 0 ? shape : { props, names: Object.fromEntries(names.toReversed()) };
}

const shapesOfSpecs = new WeakMap<OperationSpec, ResultShape>();

/** The members that a program may read from a capability's result. Cached. */
export function resultShape(spec: OperationSpec): ResultShape {
  const known = shapesOfSpecs.get(spec);
  if (known !== undefined) return known;
  const data = buildShape(resultSchema(spec), 0);
  const member = listMember(spec);
  const made =
    member === undefined
      ? { data: withNames(data, spec) }
      : { data, item: withNames(itemShape(data, member), spec), others: otherMembers(spec) };
  shapesOfSpecs.set(spec, made);
  return made;
}
