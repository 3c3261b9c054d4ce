import { Parser } from "acorn";
import { assertShallow, withLimitedNesting } from "./nesting.js";
import { ownFallback } from "./own-fallback.js";
import { ProgramReader } from "./program-reader.js";
import { syntaxProblem } from "./syntax-problem.js";

/** @typedef {import("./walk.js").Node} Node */
/** @typedef {import("../sandbox/messages.ts").ReadAnswer} ReadAnswer */

const OPTIONS = /** @type {const} */ ({
  ecmaVersion: 2025,
  sourceType: "script",
  locations: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: true,
});

const PlainParser = withLimitedNesting(Parser);

/** @param {string} source */
function parsePlain(source) {
  const tree = asNode(PlainParser.parse(source, OPTIONS));
  assertShallow(tree);
  return tree;
}

/** Removes a Markdown fence, which models often add. @param {string} program */
function withoutFence(program) {
  const fenced = /^\s*```\w*\n([^]*?)\n?```\s*$/u.exec(program);
  return fenced?.[1] ?? program;
}

/** @param {string} source @returns {Promise<{ code: string, tree: Node }>} */
async function parseProgram(source) {
  try {
    return { code: source, tree: parsePlain(source) };
  } catch (plain) {
    return parseTypes(source, plain);
  }
}

/** @param {unknown} tree */
function asNode(tree) {
  return /** @type {Node} */ (tree);
}

/**
 * Parses TypeScript. Used only if the source is not valid JavaScript, so that JavaScript stays
 * fast.
 * @param {string} source
 * @param {unknown} plain Why it is not JavaScript.
 */
async function parseTypes(source, plain) {
  const [{ tsPlugin }, { stripTypes }] = await Promise.all([
    import("@sveltejs/acorn-typescript"),
    import("./strip-types.js"),
  ]);
  /** @type {Node} */
  let typed;
  try {
    // The plugin's types belong to another copy of acorn.
    const TypedParser = withLimitedNesting(Parser.extend(tsPlugin()));
    typed = asNode(TypedParser.parse(source, { ...OPTIONS, sourceType: "module" }));
    assertShallow(typed);
  } catch {
    throw plain;
  }
  const code = stripTypes(source, typed);
  return { code, tree: parsePlain(code) };
}

/** Text to insert at a position of the code. @typedef {import("./own-fallback.js").Insertion} Insertion */

/** @param {string} code @param {Insertion[]} insertions */
function withInsertions(code, insertions) {
  let made = "";
  let done = 0;
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    made += code.slice(done, at) + text;
    done = at;
  }
  return made + code.slice(done);
}

/** @param {Node | undefined} node */
function isFunctionToCall(node) {
  const isFunction =
    node?.type === "ArrowFunctionExpression" ||
    node?.type === "FunctionExpression" ||
    node?.type === "FunctionDeclaration";
  return (
    isFunction && /** @type {Node[]} */ (node["params"]).length === 0 && node["generator"] !== true
  );
}

/**
 * Calls the function that is the whole program, because other code tools expect
 * `async () => { … }`.
 * @param {Node[]} body @returns {Insertion[] | undefined}
 */
function wholeFunction(body) {
  const [only, ...others] = body.filter((each) => each["directive"] === undefined);
  if (only === undefined || others.length > 0) return undefined;
  const node =
    only.type === "ExpressionStatement" ? /** @type {Node} */ (only["expression"]) : only;
  if (!isFunctionToCall(node)) return undefined;
  return [
    { at: only.start, text: "return (" },
    { at: node.end, text: ")()" },
  ];
}

/**
 * Returns the last expression of a program, as a console does.
 * @param {Node} tree @returns {Insertion[]}
 */
function impliedReturn(tree) {
  const body = /** @type {Node[]} */ (tree["body"]);
  const called = wholeFunction(body);
  if (called !== undefined) return called;
  const last = body.at(-1);
  if (last?.type !== "ExpressionStatement" || last["directive"] !== undefined) return [];
  return [{ at: last.start, text: "return " }];
}

/**
 * All insertions. At the same position, the inner expression ends first and begins last.
 * @param {string} code @param {Node} tree @param {ProgramReader} reader @returns {Insertion[]}
 */
function listInsertions(code, tree, { globalReads, alternatives }) {
  const fallbacks = alternatives.flatMap((node) => ownFallback(code, node) ?? []);
  return [
    ...fallbacks.map(({ after }) => after),
    ...impliedReturn(tree),
    ...fallbacks.map(({ before }) => before),
    ...globalReads.map((at) => ({ at, text: "globalThis." })),
  ];
}

/** @param {string} code */
function withoutHashBang(code) {
  return code.startsWith("#!") ? `//${code.slice(2)}` : code;
}

/**
 * The outline of a program, or why it cannot run.
 * @param {string} program
 * @returns {Promise<ReadAnswer>}
 */
export async function readProgram(program) {
  const source = withoutFence(program);
  try {
    const { code, tree } = await parseProgram(source);
    const reader = new ProgramReader();
    reader.visit(tree);
    const made = withInsertions(code, listInsertions(code, tree, reader));
    return {
      facts: {
        code: withoutHashBang(made),
        free: [...reader.free.values()],
        globals: [...reader.globals],
        assigned: [...reader.assigned.values()],
        calls: reader.calls,
        own: reader.own,
        computed: [...reader.computed],
        compared: reader.compared,
      },
    };
  } catch (thrown) {
    return { problem: syntaxProblem(source, thrown) };
  }
}
