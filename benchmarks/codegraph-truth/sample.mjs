// @ts-check
// Selects the symbols of a tree to ask about. The same seed selects the same ones.

/** @typedef {import("@waybill/codegraph").CodeGraph} CodeGraph */
/**
 * A symbol with the position of its name.
 * @typedef {{ path: string, name: string, kind: string, group: "top" | "member", line: number,
 * column: number, symbol: number }} Sampled
 */

const TOP_KINDS = new Set([
  "function",
  "class",
  "interface",
  "type",
  "enum",
  "variable",
  "constant",
  "struct",
  "namespace",
]);
const OWNERS = new Set(["class", "interface", "struct", "type"]);

/** The oracle's language for each language of the graph. @type {Record<string, string>} */
export const ORACLE_OF = {
  typescript: "typescript",
  javascript: "typescript",
  python: "python",
  go: "go",
};

/**
 * @param {CodeGraph} graph @param {string} oracle @param {number} count @param {number} seed
 * @param {(path: string) => string} textOf @returns {Sampled[]}
 */
export function sampleSymbols(graph, oracle, count, seed, textOf) {
  /** @type {Record<"top" | "member", number[]>} */
  const groups = { top: [], member: [] };
  for (let symbol = 0; symbol < graph.symbols.count; symbol++) {
    if (ORACLE_OF[graph.files.language(graph.symbols.file(symbol))] !== oracle) continue;
    const group = getGroup(graph, symbol);
    if (group !== undefined) groups[group].push(symbol);
  }
  const next = randomFrom(seed);
  return [
    ...choose(groups.top, Math.ceil(count * 0.7), next),
    ...choose(groups.member, Math.floor(count * 0.3), next),
  ].flatMap((symbol) => placedSymbol(graph, symbol, textOf) ?? []);
}

/** @param {CodeGraph} graph @param {number} symbol @returns {"top" | "member" | undefined} */
function getGroup({ symbols }, symbol) {
  const parent = symbols.parent(symbol);
  if (parent === undefined) return undefined;
  if (symbols.kind(parent) === "module") {
    if (symbols.kind(symbol) === "method") return "member";
    return symbols.exported(symbol) && TOP_KINDS.has(symbols.kind(symbol)) ? "top" : undefined;
  }
  const isMethod = symbols.kind(symbol) === "method" && OWNERS.has(symbols.kind(parent));
  return isMethod && symbols.exported(parent) ? "member" : undefined;
}

/** @template Item @param {readonly Item[]} list @param {number} count @param {() => number} next */
export function choose(list, count, next) {
  const left = [...list];
  const chosen = [];
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(Math.floor(next() * left.length), 1));
  }
  return chosen;
}

/** A small random generator, so that a run can be repeated. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param {CodeGraph} graph @param {number} symbol @param {(path: string) => string} textOf
 * @returns {Sampled | undefined}
 */
export function placedSymbol(graph, symbol, textOf) {
  const { symbols, files } = graph;
  const path = files.path(symbols.file(symbol));
  const name = symbols.name(symbol);
  const range = symbols.range(symbol);
  const lines = textOf(path).split("\n");
  const pattern = new RegExp(String.raw`(?<![\w$])${escaped(name)}(?![\w$])`, "g");
  for (let line = range.line; line <= Math.min(range.endLine, range.line + 12); line++) {
    pattern.lastIndex = line === range.line ? range.column - 1 : 0;
    const match = pattern.exec(lines[line - 1] ?? "");
    if (!match) continue;
    const group = /** @type {"top" | "member"} */ (getGroup(graph, symbol));
    return { path, name, kind: symbols.kind(symbol), group, line, column: match.index + 1, symbol };
  }
  return undefined;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|#]/g, String.raw`\$&`);
