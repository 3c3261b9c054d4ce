import type { Expression, StaticMemberExpression } from "oxc-parser";
import { ANY_NAME } from "../../../graph/index.ts";
import { OP, SITE_FLAG } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { GLOBAL_OBJECTS, isKnownGlobal } from "./known-globals.ts";

/** Names of values that exist in every scope. */
const NOTHING = new Set(["undefined", "NaN", "Infinity"]);

export function identifier(x: Extraction, name: string, start: number, flags: number): number {
  const node = x.scopes.value(name);
  if (node === undefined) {
    return NOTHING.has(name) ? x.writer.node1(OP.literal, 3) : global(x, name, start, flags);
  }
  const plain = plainNode(x, node);
  if (x.writer.code[plain] !== OP.local) x.site(plain, start, flags);
  else if ((flags & SITE_FLAG.call) !== 0) x.site(node, start, flags);
  return node;
}

/** The node of a name without narrowing. */
export function plainNode(x: Extraction, node: number): number {
  let plain = node;
  while (x.writer.code[plain] === OP.narrowed) plain = x.writer.code[plain + 1]!;
  return plain;
}

/** A name that the file does not declare. A framework may provide it. */
export function global(x: Extraction, name: string, start: number, flags: number): number {
  const node = x.writer.node1(OP.global, x.writer.text(name));
  if (isKnownGlobal(name)) return node;
  x.writer.unresolved(name, "value");
  x.site(node, start, flags);
  return node;
}

/** `window.x` may be a global that another file declares. */
function isGlobalObject(node: Expression): boolean {
  return node.type === "Identifier" && GLOBAL_OBJECTS.has(node.name);
}

type Member = Extract<Expression, { type: "MemberExpression" }>;

export function member(x: Extraction, node: Member, flags: number): number {
  const object = x.expression(node.object);
  if (node.computed) {
    dynamicMember(x, node.object, object, node.property);
    return computed(x, object, node.property, flags);
  }
  const name =
    node.property.type === "PrivateIdentifier" ? `#${node.property.name}` : node.property.name;
  if (object === 0) {
    x.writer.unresolved(name, "member");
    return 0;
  }
  if (isGlobalObject(node.object)) x.writer.unresolved(name, "value");
  const found = narrowedMember(x, node, x.writer.node2(OP.member, object, x.writer.text(name)));
  x.site(found, node.property.start, flags);
  return found;
}

/** `this.x` inside `if (this.x instanceof Y)` is a Y. */
function narrowedMember(x: Extraction, node: Member, plain: number): number {
  if (node.object.type !== "ThisExpression" || node.computed) return plain;
  const narrowed = x.scopes.value(`this.${(node as StaticMemberExpression).property.name}`);
  return narrowed === undefined ? plain : x.writer.node2(OP.narrowed, plain, narrowed);
}

function computed(x: Extraction, object: number, property: Expression, flags: number): number {
  if (property.type === "Literal" && typeof property.value === "string") {
    if (object === 0) {
      x.writer.unresolved(property.value, "member");
      return 0;
    }
    const found = x.writer.node2(OP.member, object, x.writer.text(property.value));
    x.site(found, property.start, flags);
    return found;
  }
  x.expression(property);
  const index =
    property.type === "Literal" && typeof property.value === "number" ? property.value : -1;
  return object === 0 ? 0 : x.writer.node2(OP.element, object, index);
}

/** Nodes whose values may be modules or objects with known members. */
const OWNERS: ReadonlySet<number> = new Set([OP.module, OP.imported, OP.self, OP.symbol, OP.local]);

/** `this[name]` may be any member. */
function dynamicMember(x: Extraction, object: Expression, known: number, key: Expression): void {
  if (key.type === "Literal") return;
  const owner = known === 0 ? castNode(x, object) : known;
  if (owner === 0 || !OWNERS.has(x.writer.code[plainNode(x, owner)]!)) return;
  x.site(x.writer.node2(OP.member, owner, x.writer.text(ANY_NAME)), key.start, 0);
}

/** The node of the expression inside casts to `any`. */
function castNode(x: Extraction, node: Expression): number {
  if (node.type === "ThisExpression") return x.self;
  if (node.type === "Identifier") return x.scopes.value(node.name) ?? 0;
  if (node.type === "ParenthesizedExpression" || node.type === "TSAsExpression") {
    return castNode(x, node.expression);
  }
  return 0;
}
