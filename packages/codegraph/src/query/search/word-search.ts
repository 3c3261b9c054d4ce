import type { CodeGraph } from "../../graph/index.ts";
import { overallRank } from "../../analysis/index.ts";
import { definitionOfSymbol } from "../names/definitions.ts";
import { isIn } from "../names/scope.ts";
import { fitsTerm, searchTerms, wordsIn } from "./words.ts";
import type { FileWords } from "../answer/file-words.ts";
import type { GraphView } from "../answer/view.ts";

/** A file or symbol that matches words of a search. */
export interface WordHit {
  readonly type: "file" | "symbol";
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly kind?: string;
  readonly score: number;
  readonly rank: number;
}

/** A word in a name counts more than in a path, and that more than in the text. */
const WEIGHT = { name: 4, path: 2, text: 1 } as const;
/** The most files whose symbols and lines are searched. */
const MAX_FILES = 60;
const MAX_PER_FILE = 3;

interface Candidate {
  readonly file: number;
  readonly score: number;
}

/** Finds files and symbols by words in names, paths, comments and strings, the best first. */
export function wordHits(
  view: GraphView,
  query: string,
  words: FileWords,
  mask: Uint8Array | undefined,
): WordHit[] {
  const terms = searchTerms(query);
  if (terms.length === 0) return [];
  const rarity = rarities(terms, words);
  const hits = candidates(view.graph, terms, rarity, words, mask).flatMap((candidate) =>
    hitsIn(view, candidate, terms, rarity),
  );
  return hits.toSorted(
    (a, b) => b.score - a.score || b.rank - a.rank || (a.path < b.path ? -1 : 1),
  );
}

/** Terms in few files count more. */
function rarities(terms: readonly string[], words: FileWords): number[] {
  return terms.map((_, term) => Math.log(1 + words.fileCount / (1 + words.filesWith(term))));
}

function candidates(
  graph: CodeGraph,
  terms: readonly string[],
  rarity: readonly number[],
  words: FileWords,
  mask: Uint8Array | undefined,
): Candidate[] {
  const found: Candidate[] = [];
  for (let file = 0; file < graph.files.count; file++) {
    if (!isIn(mask, file)) continue;
    const inText = words.termsIn(file);
    const inPath = termsAmong(wordsIn(graph.files.path(file)), terms);
    if (inText === 0 && inPath === 0) continue;
    const score = weigh(inText, rarity, WEIGHT.text) + weigh(inPath, rarity, WEIGHT.path);
    found.push({ file, score: score * coverage(inText | inPath, terms.length) });
  }
  return found.toSorted((a, b) => b.score - a.score).slice(0, MAX_FILES);
}

/** The terms that match one of the words, as bits. */
function termsAmong(words: readonly string[], terms: readonly string[]): number {
  let bits = 0;
  for (const [at, term] of terms.entries()) {
    if (words.some((word) => fitsTerm(word, term))) bits |= 1 << at;
  }
  return bits;
}

function weigh(bits: number, rarity: readonly number[], weight: number): number {
  return rarity.reduce((sum, each, at) => sum + ((bits >> at) & 1) * each * weight, 0);
}

/** A file with all terms counts much more than one with a few of them. */
function coverage(bits: number, count: number): number {
  let has = 0;
  for (let at = 0; at < count; at++) has += (bits >> at) & 1;
  return (has / count) ** 2;
}

function hitsIn(
  view: GraphView,
  { file, score }: Candidate,
  terms: readonly string[],
  rarity: readonly number[],
): WordHit[] {
  const { graph } = view;
  const path = graph.files.path(file);
  const rank = overallRank(graph)[file]!;
  const named: WordHit[] = [];
  for (const symbol of graph.symbols.inFile(file)) {
    if (graph.symbols.kind(symbol) === "module") continue;
    const definition = definitionOfSymbol(graph, symbol);
    const bits = termsAmong(wordsIn(definition.name), terms);
    if (bits === 0) continue;
    const own = weigh(bits, rarity, WEIGHT.name) * coverage(bits, terms.length);
    const { line } = graph.symbols.range(symbol);
    const kind = graph.symbols.kind(symbol);
    named.push({
      type: "symbol",
      path,
      line,
      name: definition.name,
      kind,
      score: score + own,
      rank,
    });
  }
  const best = named.toSorted((a, b) => b.score - a.score).slice(0, MAX_PER_FILE);
  if (best.length > 0) return best;
  return [{ type: "file", path, line: bestLine(view.lines(path), terms), name: path, score, rank }];
}

/** The first line with most of the terms. */
function bestLine(lines: readonly string[], terms: readonly string[]): number {
  let [best, at] = [0, 1];
  for (const [place, text] of lines.entries()) {
    const bits = termsAmong(wordsIn(text), terms);
    const count = terms.filter((_, term) => ((bits >> term) & 1) === 1).length;
    if (count > best) [best, at] = [count, place + 1];
  }
  return at;
}
