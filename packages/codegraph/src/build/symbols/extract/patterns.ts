import type {
  AssignmentTarget,
  AssignmentTargetMaybeDefault,
  BindingIdentifier,
  BindingPattern,
  Expression,
  PropertyKey,
} from "oxc-parser";
import { OP } from "../facts/ops.ts";
import type { Extraction } from "./extraction.ts";
import { nameOfKey } from "./names.ts";
import { identifier, member } from "./references.ts";

/** Called for each name that a pattern binds, with the node of its value. */
export type Bind = (id: BindingIdentifier, value: number) => void;

export function bindPattern(
  x: Extraction,
  pattern: BindingPattern,
  value: number,
  bind: Bind,
): void {
  switch (pattern.type) {
    case "Identifier":
      return bind(pattern, value);
    case "AssignmentPattern": {
      const preset = x.expression(pattern.right, value);
      return bindPattern(x, pattern.left, x.writer.oneOf([value, preset]), bind);
    }
    case "ObjectPattern":
      for (const property of pattern.properties) {
        if (property.type === "RestElement") bindPattern(x, property.argument, value, bind);
        else bindPattern(x, property.value, memberTaken(x, value, property), bind);
      }
      return;
    case "ArrayPattern":
      for (const [place, element] of pattern.elements.entries()) {
        if (element?.type === "RestElement") bindPattern(x, element.argument, value, bind);
        else if (element) bindPattern(x, element, item(x, value, place), bind);
      }
  }
}

interface TakenProperty {
  readonly key: PropertyKey;
  readonly computed: boolean;
}

/** `{ name }` in a pattern is a use of that member. */
function memberTaken(x: Extraction, object: number, { key, computed }: TakenProperty): number {
  if (computed) x.expression(key as Expression);
  const name = nameOfKey(key, computed);
  if (name === undefined) return 0;
  if (object === 0) {
    x.writer.unresolved(name, "member");
    return 0;
  }
  const node = x.writer.node2(OP.member, object, x.writer.text(name));
  x.site(node, key.start, 0);
  return node;
}

function item(x: Extraction, list: number, place: number): number {
  return list === 0 ? 0 : x.writer.node2(OP.element, list, place);
}

/** Visits each name of a pattern, without its default values. */
export function eachName(pattern: BindingPattern, visit: (id: BindingIdentifier) => void): void {
  switch (pattern.type) {
    case "Identifier":
      return visit(pattern);
    case "AssignmentPattern":
      return eachName(pattern.left, visit);
    case "ObjectPattern":
      for (const property of pattern.properties) {
        eachName(property.type === "RestElement" ? property.argument : property.value, visit);
      }
      return;
    case "ArrayPattern":
      for (const element of pattern.elements) {
        if (element) eachName(element.type === "RestElement" ? element.argument : element, visit);
      }
  }
}

/**
 * Walks the target of an assignment and returns its node, which is the expected type of the value.
 */
export function assignTo(x: Extraction, target: AssignmentTarget): number {
  switch (target.type) {
    case "Identifier":
      return identifier(x, target.name, target.start, 0);
    case "MemberExpression":
      return member(x, target, 0);
    case "ArrayPattern":
      for (const element of target.elements) {
        if (element) assignPart(x, element.type === "RestElement" ? element.argument : element);
      }
      return 0;
    case "ObjectPattern":
      for (const property of target.properties) {
        if (property.type !== "RestElement") unknownKey(x, property);
        assignPart(x, property.type === "RestElement" ? property.argument : property.value);
      }
      return 0;
    default:
      return x.expression(target);
  }
}

/** Destructuring assignments are not resolved. */
function unknownKey(x: Extraction, { key, computed }: TakenProperty): void {
  if (computed) x.expression(key as Expression);
  const name = nameOfKey(key, computed);
  if (name !== undefined) x.writer.unresolved(name, "member");
}

function assignPart(x: Extraction, target: AssignmentTargetMaybeDefault): void {
  if (target.type !== "AssignmentPattern") {
    assignTo(x, target);
    return;
  }
  assignTo(x, target.left);
  x.expression(target.right);
}
