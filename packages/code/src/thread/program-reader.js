/** @typedef {import("./walk.js").Node} Node */
/** @typedef {import("../sandbox/messages.ts").WrittenArgument} WrittenArgument */
/** @typedef {import("../sandbox/messages.ts").WrittenCall} WrittenCall */
/** @typedef {import("../sandbox/messages.ts").NameUse} NameUse */
/** @typedef {import("../sandbox/messages.ts").Comparison} Comparison */
import { boundNames, isFunction, scopeNames } from "./declared-names.js";
import { readLiteral, readArgument } from "./literals.js";
import { listChildren, isNode } from "./walk.js";

/** Members of a promise. Any other member belongs to its result. */
const OF_PROMISES = new Set(["then", "catch", "finally"]);
const GLOBAL = "globalThis";
const NO_EXPORT = "A program is the body of a function: end it with return and a value";
const OUTSIDE = "Programs have no modules: every capability is a global, such as issue.list(…)";

/** The error for an import or an export. @param {Node} node */
function moduleError(node) {
  const text = node.type.startsWith("Im")
    ? `import is not available. ${OUTSIDE}`
    : `export is not available. ${NO_EXPORT}`;
  return Object.assign(new SyntaxError(text), { loc: node.loc.start });
}

/**
 * The parts of a chain such as `issue.comments.create`. Computed names are undefined.
 * @param {Node} node
 * @returns {{ root: Node, names: (string | undefined)[] } | undefined}
 */
function memberChain(node) {
  if (node.type === "Identifier") return { root: node, names: [String(node["name"])] };
  if (node.type === "ChainExpression") return memberChain(/** @type {Node} */ (node["expression"]));
  if (node.type !== "MemberExpression") return undefined;
  const chain = memberChain(/** @type {Node} */ (node["object"]));
  if (chain === undefined) return undefined;
  const property = /** @type {Node} */ (node["property"]);
  const name = node["computed"] === true ? readLiteral(property)?.value : property["name"];
  chain.names.push(typeof name === "string" ? name : undefined);
  return chain;
}

/** Whether this is `for (const key in …)`; a `let` could get another value. @param {Node} node */
function isConstantKey(node) {
  const { left } = /** @type {{ left?: unknown }} */ (node);
  return node.type === "ForInStatement" && isNode(left) && left["kind"] === "const";
}

/** @param {unknown} name */
function isOfTexts(name) {
  return typeof name === "string" && name in String.prototype;
}

const EQUALITY = new Set(["===", "!==", "==", "!="]);
const MAX_COMPARED = 100;

/** The comparison of a member with a string, as in `p.state === "open"`. @param {Node} node @returns {Comparison | undefined} */
function readComparison(node) {
  if (!EQUALITY.has(String(node["operator"]))) return undefined;
  const sides = [node["left"], node["right"]].filter(isNode);
  const value = sides
    .map((side) => readLiteral(side)?.value)
    .find((each) => typeof each === "string");
  const read = sides.find((side) => side.type === "MemberExpression" && side["computed"] !== true);
  if (typeof value !== "string" || read === undefined) return undefined;
  const { name } = /** @type {{ name?: unknown }} */ (read["property"]);
  return { member: String(name), value, line: node.loc.start.line };
}

/** Reads a program's tree once, and knows the declared names at each place. */
export class ProgramReader {
  /** @type {Set<string>[]} */
  #scopes = [];
  /** Scopes of the variables of for…in loops, which are always strings. @type {WeakSet<Set<string>>} */
  #keys = new WeakSet();
  /** The name that the current statement declares, which has no value yet. */
  #unready = "";
  /** @type {Map<string, NameUse>} */
  free = new Map();
  /** @type {Map<string, NameUse>} */
  assigned = new Map();
  /** @type {WrittenCall[]} */
  calls = [];
  /** @type {NameUse[]} */
  own = [];
  /** @type {Set<string>} */
  computed = new Set();
  /** @type {Comparison[]} */
  compared = [];
  /** @type {Set<string>} */
  globals = new Set();
  /** Positions where a name without a value yet must be read from the globals. @type {number[]} */
  globalReads = [];
  /** Expressions such as `a.b ?? a`. @type {Node[]} */
  alternatives = [];

  /** @param {Node} node @param {Node} [parent] */
  visit(node, parent) {
    const names = scopeNames(node);
    const scope = names === undefined ? undefined : new Set(names);
    if (scope !== undefined) this.#scopes.push(scope);
    if (scope !== undefined && isConstantKey(node)) this.#keys.add(scope);
    const unready = this.#unready;
    if (isFunction(node)) this.#unready = "";
    this.#look(node, parent);
    this.#unready = unready;
    if (names !== undefined) this.#scopes.pop();
  }

  /** @param {Node} node @param {Node | undefined} parent */
  #look(node, parent) {
    switch (node.type) {
      case "Identifier":
        this.#reference(node);
        return;
      case "CallExpression":
      case "NewExpression":
        this.#call(node, parent);
        break;
      case "MemberExpression":
        this.#global(node);
        this.#memberOfKey(node);
        break;
      case "BinaryExpression":
        this.#comparison(node);
        break;
      case "LogicalExpression":
        this.alternatives.push(node);
        break;
      case "VariableDeclaration":
        this.#declaration(node);
        return;
      case "AssignmentExpression":
        for (const name of boundNames(node["left"])) this.#assignment(name, node);
        break;
      case "ImportDeclaration":
      case "ImportExpression":
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
      case "ExportAllDeclaration":
        throw moduleError(node);
      default:
    }
    this.#below(node);
  }

  /**
   * In `for (const o in list) o.title`, `o` is "0", "1" and so on, so the member does not exist.
   * @param {Node} node
   */
  #memberOfKey(node) {
    const { root, names = [] } = memberChain(node) ?? {};
    const [name, member] = names;
    const scope = this.#scopes.findLast((each) => each.has(String(name)));
    if (root === undefined || scope === undefined || !this.#keys.has(scope)) return;
    if (node["object"] !== root || member === undefined || isOfTexts(member)) return;
    throw Object.assign(
      new SyntaxError(
        `${name} is a string such as "0", which has no ${member}. Use for (const ${name} of …)`,
      ),
      { loc: node.loc.start },
    );
  }

  /** @param {Node} node */
  #comparison(node) {
    const found = this.compared.length < MAX_COMPARED ? readComparison(node) : undefined;
    if (found !== undefined) this.compared.push(found);
  }

  /** Visits the children of a node, except names that are not references. @param {Node} node */
  #below(node) {
    for (const child of listChildren(node)) {
      const isName = child === node["key"] || child === node["property"];
      if (isName && node["computed"] !== true && child.type === "Identifier") {
        // `{ title }` is both a member name and a reference.
        if (node["shorthand"] !== true) continue;
      }
      if (child === node["label"] || node.type === "MetaProperty") continue;
      this.visit(child, node);
    }
  }

  /** @param {Node} node */
  #declaration(node) {
    for (const each of listChildren(node)) {
      const [name = ""] = boundNames(each["id"]);
      const { init } = /** @type {{ init?: unknown }} */ (each);
      if (isNode(each["id"])) this.#below(each["id"]);
      this.#unready = node["kind"] === "var" ? "" : name;
      if (isNode(init)) this.visit(init, each);
      this.#unready = "";
    }
  }

  /** @param {string} name @param {Node} node */
  #assignment(name, node) {
    if (!this.#isDeclared(name) && !this.assigned.has(name)) {
      this.assigned.set(name, { name, line: node.loc.start.line });
    }
  }

  /** @param {string} name */
  #isDeclared(name) {
    return this.#scopes.some((scope) => scope.has(name));
  }

  /** @param {Node} node */
  #global(node) {
    const {
      names: [first, second],
    } = memberChain(node) ?? { names: [] };
    if (first === GLOBAL && second !== undefined) this.globals.add(second);
  }

  /** Whether a name is read from the globals. @param {Node} node */
  #isFree(node) {
    const name = String(node["name"]);
    // In `const issue = await issue.view(…)`, the second `issue` can only be the global.
    if (name === this.#unready) {
      this.globalReads.push(node.start);
      return true;
    }
    return !this.#isDeclared(name);
  }

  /** @param {Node} node */
  #reference(node) {
    const name = String(node["name"]);
    if (this.free.has(name) && name !== this.#unready) return;
    if (this.#isFree(node)) this.free.set(name, { name, line: node.loc.start.line });
  }

  /** @param {Node} node @param {Node | undefined} parent */
  #call(node, parent) {
    const chain = memberChain(/** @type {Node} */ (node["callee"]));
    if (chain === undefined || chain.names.length < 2) return;
    const isGlobal = chain.names[0] === GLOBAL;
    if (isGlobal) chain.names.shift();
    const { line } = node.loc.start;
    const name = chain.names.join(".");
    const root = String(chain.names[0]);
    if (!isGlobal && root !== this.#unready && this.#isDeclared(root)) {
      this.own.push({ name, line });
    } else if (chain.names.includes(undefined)) {
      this.computed.add(root);
    } else {
      const args = /** @type {Node[]} */ (node["arguments"]);
      const use = this.#useOf(node, parent);
      this.calls.push({
        name,
        line,
        args: args.map(readArgument),
        isOpen: args.some(({ type }) => type === "SpreadElement"),
        ...(use !== undefined && { use }),
      });
    }
  }

  /** The member that is read from a call's promise instead of its result. @param {Node} node @param {Node | undefined} parent */
  #useOf(node, parent) {
    if (parent === undefined) return undefined;
    if (parent.type === "MemberExpression" && parent["object"] === node) {
      const property = /** @type {Node} */ (parent["property"]);
      const name = parent["computed"] === true ? "[…]" : String(property["name"]);
      return OF_PROMISES.has(name) ? undefined : name;
    }
    const isLoop =
      parent.type === "ForOfStatement" && parent["right"] === node && parent["await"] !== true;
    return isLoop || parent.type === "SpreadElement" ? "" : undefined;
  }
}
