/** @typedef {import("./walk.js").Node} Node */
import { listChildren, isNode } from "./walk.js";

/** Expressions with types around them. The types are removed, the expression stays. */
const WRAPPERS = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSInstantiationExpression",
  "TSTypeAssertion",
]);

/** TypeScript syntax with a meaning at run time, so it cannot simply be removed. */
const UNSUPPORTED = /** @type {Record<string, string>} */ ({
  TSEnumDeclaration: "enum is not supported; use an object",
  TSModuleDeclaration: "namespace is not supported; use an object",
  TSParameterProperty: "A parameter property is not supported; assign it in the constructor",
  TSImportEqualsDeclaration: "import is not supported; every capability is a global",
});

/** Modifiers of class members and marks after names that exist only in TypeScript. */
const MODIFIERS = /\b(?:private|protected|public|readonly|abstract|override|declare)\b\s*/gu;

/** @param {string} text */
function blank(text) {
  return text.replaceAll(/[^\n\r]/gu, " ");
}

/** Whether it has no meaning at run time, as in `import type`. @param {Node} node */
function isOnlyType(node) {
  const isAbstractMember = node["abstract"] === true && !node.type.startsWith("Class");
  return node["importKind"] === "type" || node["exportKind"] === "type" || isAbstractMember;
}

/** Replaces types by spaces, so that all other code keeps its position. */
class TypeStripper {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    /** @type {{ start: number, end: number }[]} */
    this.ranges = [];
  }

  /** @param {number} start @param {number} end */
  erase(start, end) {
    if (end > start) this.ranges.push({ start, end });
  }

  /** @param {Node} node */
  visit(node) {
    if (isOnlyType(node)) {
      this.erase(node.start, node.end);
      return;
    }
    const refusal = UNSUPPORTED[node.type];
    if (refusal !== undefined)
      throw Object.assign(new SyntaxError(refusal), { loc: node.loc.start });
    if (WRAPPERS.has(node.type)) {
      const inner = /** @type {Node} */ (node["expression"]);
      this.erase(node.start, inner.start);
      this.erase(inner.end, node.end);
      this.visit(inner);
      return;
    }
    if (node.type.startsWith("TS")) {
      this.erase(node.start, node.end);
      return;
    }
    this.#eraseMarks(node);
    for (const child of listChildren(node)) this.visit(child);
  }

  /** @param {Node} node */
  #eraseMarks(node) {
    if (node.type === "PropertyDefinition" || node.type === "MethodDefinition") {
      this.#eraseModifiers(node);
    }
    if (node["abstract"] === true && node.type.startsWith("Class")) {
      this.erase(node.start, this.source.indexOf("class", node.start));
    }
    if (node["declare"] === true) this.erase(node.start, node.end);
    if (node["optional"] === true && node.type === "Identifier") this.#eraseMark(node, "?");
    if (node["definite"] === true)
      this.#eraseMark(/** @type {Node} */ (node["id"] ?? node["key"]), "!");
    const list = node["implements"];
    if (Array.isArray(list) && list.length > 0) this.#eraseImplements(list.filter(isNode));
  }

  /** @param {Node} node */
  #eraseModifiers(node) {
    const key = /** @type {Node} */ (node["key"]);
    const before = this.source.slice(node.start, key.start);
    for (const match of before.matchAll(MODIFIERS)) {
      this.erase(node.start + match.index, node.start + match.index + match[0].length);
    }
    const mark = /^\s*[?!]/u.exec(this.source.slice(key.end, node.end));
    if (mark !== null) this.erase(key.end, key.end + mark[0].length);
  }

  /** @param {Node} node @param {"?" | "!"} mark */
  #eraseMark(node, mark) {
    const type = /** @type {Node | undefined} */ (node["typeAnnotation"] ?? undefined);
    const { name } = node;
    const start = node.start + (typeof name === "string" ? name.length : 0);
    const at = this.source.slice(start, type?.start ?? node.end + 2).indexOf(mark);
    if (at >= 0) this.erase(start + at, start + at + 1);
  }

  /** @param {Node[]} list */
  #eraseImplements(list) {
    const first = /** @type {Node} */ (list[0]);
    const last = /** @type {Node} */ (list.at(-1));
    const start = this.source.lastIndexOf("implements", first.start);
    this.erase(start, last.end);
  }

  toString() {
    let code = "";
    let done = 0;
    for (const { start, end } of this.ranges.toSorted((a, b) => a.start - b.start)) {
      if (end <= done) continue;
      const from = Math.max(start, done);
      code += this.source.slice(done, from) + blank(this.source.slice(from, end));
      done = end;
    }
    return code + this.source.slice(done);
  }
}

/**
 * The program as JavaScript, with all code in its original position.
 * @param {string} source
 * @param {Node} tree
 */
export function stripTypes(source, tree) {
  const stripper = new TypeStripper(source);
  stripper.visit(tree);
  return stripper.toString();
}
