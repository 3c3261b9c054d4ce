import type { CodeGraph } from "../../graph/index.ts";
import { overallRank } from "../../analysis/index.ts";
import { best } from "../answer/take-best.ts";
import { definitionOfSymbol } from "../names/definitions.ts";
import { isIn } from "../names/scope.ts";
import { fitsTerm, searchTerms, wordsIn } from "./words.ts";
import type { FileWords } from "../answer/file-words.ts";
import type { GraphView } from "../answer/view.ts";

/** A file or symbol that matches words of a search. */
export interface WordHit {
  readonly type: "file" | "symbol";
  readonly path: string;
  readonly name: string;
  readonly kind?: string;
  readonly score: number;
  readonly rank: number;
  /** The line to show, which is searched only for a hit that is shown. */
  readonly findLine: () => number;
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
  let found: Candidate[] = [];
  // A common word is in most files. Only a file that can be among the best becomes an object.
  let least = 0;
  for (let file = 0; file < graph.files.count; file++) {
    const inText = words.termsIn(file);
    const inPath = words.termsInPath(file);
    if ((inText === 0 && inPath === 0) || !isIn(mask, file)) continue;
    const score = weigh(inText, rarity, WEIGHT.text) + weigh(inPath, rarity, WEIGHT.path);
    const covered = score * coverage(inText | inPath, terms.length);
    if (covered <= least) continue;
    found.push({ file, score: covered });
    if (found.length < MAX_FILES * 4) continue;
    found = bestCandidates(found);
    least = found.at(-1)!.score;
  }
  return bestCandidates(found);
}

function bestCandidates(found: readonly Candidate[]): Candidate[] {
  return best(found, MAX_FILES, (a, b) => b.score - a.score);
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
      name: definition.name,
      kind,
      score: score + own,
      rank,
      findLine: () => line,
    });
  }
  if (named.length > 0) return best(named, MAX_PER_FILE, (a, b) => b.score - a.score);
  const findLine = (): number => bestLine(view.lines(path), terms);
  return [{ type: "file", path, name: path, score, rank, findLine }];
}

/** The first line with most of the terms. */
function bestLine(lines: readonly string[], terms: readonly string[]): number {
  let [most, at] = [0, 1];
  for (const [place, text] of lines.entries()) {
    const bits = termsAmong(wordsIn(text), terms);
    const count = terms.filter((_, term) => ((bits >> term) & 1) === 1).length;
    if (count > most) [most, at] = [count, place + 1];
  }
  return at;
}
