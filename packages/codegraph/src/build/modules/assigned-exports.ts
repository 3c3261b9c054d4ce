import type {
  ArrowFunctionExpression,
  AssignmentExpression,
  Expression,
  Function,
  Node,
  ObjectExpression,
  Program,
} from "oxc-parser";
import { pushChildren } from "./tree-children.ts";
import { literalText } from "./literal-text.ts";

/** A name that a CommonJS file exports; `export=` is the module as a whole. */
export interface AssignedExport {
  readonly name: string;
  readonly start: number;
}

const MENTIONED = /(?<![\w$.])exports\b/;
const MODULE_EXPORTS = /\bmodule\s*\.\s*exports\b/;
/** `var exports = module.exports = {}` only declares another name for the same object. */
const DECLARED =
  /\b(?:var|let|const|function|class)\s+(?:module\b|exports\b(?!\s*=\s*module\.exports\b))/;
const WHOLE = "export=";
const MARK = "__esModule";
const OWN = /^(?:module|exports)$/;

/** Whether the text may assign to `exports`. Most files do not, so this quick check comes first. */
export function mayAssignExports(text: string): boolean {
  return (MENTIONED.test(text) || MODULE_EXPORTS.test(text)) && !DECLARED.test(text);
}

/**
 * Exports that are assigned when the file loads. Inside functions only `module.exports = …` counts,
 * because wrappers for several module systems use it. Other functions may never be called.
 */
export function assignedExports(program: Program): AssignedExport[] {
  const found: AssignedExport[] = [];
  const functions: Node[] = [];
  const pending: Node[] = [program];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "AssignmentExpression") found.push(...assignedNames(node));
    if (node.type === "CallExpression") found.push(...definedBy(node.callee, node.arguments));
    if (isFunction(node)) functions.push(node);
    else pushChildren(node, pending);
  }
  for (let node = functions.pop(); node; node = functions.pop()) {
    // In a bundle, each function with a parameter `module` is a module of its own, so its
    // assignments are no exports of this file.
    if (isFunction(node) && node.params.some((param) => OWN.test(exportName(param) ?? "")))
      continue;
    const isWhole = node.type === "AssignmentExpression" && isModuleExports(node.left);
    if (isWhole) found.push({ name: WHOLE, start: node.start });
    pushChildren(node, functions);
  }
  return found.filter(({ name }) => name !== MARK).toSorted((a, b) => a.start - b.start);
}

function isFunction(node: Node): node is Function | ArrowFunctionExpression {
  return /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(node.type);
}

function assignedNames({ left, right, operator, start }: AssignmentExpression): AssignedExport[] {
  if (operator !== "=" || left.type !== "MemberExpression") return [];
  if (isModuleExports(left)) return readAssignedValue(right, start);
  if (!isExports(left.object)) return [];
  const name = left.computed ? literalText(left.property) : exportName(left.property);
  return name === undefined ? [] : [{ name, start }];
}

/** `module.exports = { a, b }` exports names; any other value is exported as a whole. */
function readAssignedValue(value: Expression, start: number): AssignedExport[] {
  let held = value;
  while (held.type === "AssignmentExpression") held = held.right;
  return held.type === "ObjectExpression" ? memberNames(held) : [{ name: WHOLE, start }];
}

function memberNames({ properties }: ObjectExpression): AssignedExport[] {
  return properties.map((property) => {
    const { start } = property;
    const isPlain = property.type === "Property" && !property.computed;
    const name = isPlain ? (exportName(property.key) ?? literalText(property.key)) : undefined;
    return { name: name ?? WHOLE, start };
  });
}

/** Reads `Object.defineProperty(exports, "x", …)`, which compilers generate. */
function definedBy(callee: Node, [target, name]: readonly Node[]): AssignedExport[] {
  if (callee.type !== "MemberExpression" || exportName(callee.property) !== "defineProperty")
    return [];
  const text = name === undefined ? undefined : literalText(name);
  return target && text !== undefined && isExports(target)
    ? [{ name: text, start: target.start }]
    : [];
}

function isExports(node: Node): boolean {
  return exportName(node) === "exports" || isModuleExports(node);
}

function isModuleExports(node: Node): boolean {
  if (node.type !== "MemberExpression" || node.computed) return false;
  return exportName(node.object) === "module" && exportName(node.property) === "exports";
}

function exportName(node: Node): string | undefined {
  return node.type === "Identifier" ? node.name : undefined;
}
