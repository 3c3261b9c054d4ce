// @ts-check
// Compares the calls of a graph with those that TypeScript finds.

/** @typedef {import("./typescript-calls.mjs").Call} Call */
/** @typedef {import("./typescript-calls.mjs").Declaration} Declaration */
/** @typedef {import("@waybill/codegraph").CodeGraph} CodeGraph */
/** @typedef {{ call: Call, symbol: number }} WrongEdge */
/**
 * @typedef {{ calls: number, found: number, edges: number, right: number, missed: Call[],
 *   wrong: WrongEdge[] }} Comparison
 */

/**
 * Recall: the share of calls to a function, method or class of the tree that have an edge to that
 * declaration. Precision: the share of call edges that lead to a declaration which TypeScript
 * names. An edge without an answer of TypeScript counts as wrong.
 * @param {CodeGraph} graph @param {Iterable<Call>} calls @returns {Comparison}
 */
export function compareCalls(graph, calls) {
  const byPlace = callEdges(graph);
  /** @type {Comparison} */
  const result = { calls: 0, found: 0, edges: 0, right: 0, missed: [], wrong: [] };
  for (const call of calls) {
    const targets = byPlace.get(`${call.path}:${call.line}:${call.column}`) ?? [];
    const right = targets.filter((symbol) =>
      call.declarations.some((one) => isSameCall(graph, symbol, one)),
    );
    result.edges += targets.length;
    result.right += right.length;
    for (const symbol of targets) if (!right.includes(symbol)) result.wrong.push({ call, symbol });
    if (!call.isOurs) continue;
    result.calls += 1;
    if (right.length > 0) result.found += 1;
    else result.missed.push(call);
  }
  return result;
}

/** @param {CodeGraph} graph @returns {Map<string, number[]>} */
function callEdges({ uses, symbols, files }) {
  /** @type {Map<string, number[]>} */
  const byPlace = new Map();
  for (let edge = 0; edge < uses.count; edge++) {
    if (uses.kind(edge) !== "call") continue;
    const path = files.path(symbols.file(uses.from(edge)));
    const place = `${path}:${uses.line(edge)}:${uses.column(edge)}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), uses.to(edge)]);
  }
  return byPlace;
}

/**
 * Whether a symbol is the declaration: it has the same name, and contains the position of the
 * declared name.
 * @param {CodeGraph} graph @param {number} symbol @param {Declaration} declaration
 */
function isSameCall({ symbols, files }, symbol, { path, name, line, column }) {
  if (files.path(symbols.file(symbol)) !== path) return false;
  const own = symbols.name(symbol);
  const isNamed =
    own === name.replaceAll(/^['"]|['"]$/g, "") || own === "default" || name === "default";
  const range = symbols.range(symbol);
  const isAfter = line > range.line || (line === range.line && column >= range.column);
  const isBefore = line < range.endLine || (line === range.endLine && column <= range.endColumn);
  return isNamed && isAfter && isBefore;
}
