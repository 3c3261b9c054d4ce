import type { CodeGraph } from "../../graph/index.ts";
import { linkCount, linksIn, overallRank } from "../../analysis/index.ts";
import type { Answer, FollowUp } from "../answer/answer.ts";
import { exportCount } from "../modules/digest.ts";
import { namedDefinitions } from "../names/definitions.ts";
import type { Definition } from "../names/definitions.ts";
import { baseName, nameIndex, pathIndex } from "../names/names.ts";
import { nearPaths, nearSymbols } from "../names/near-names.ts";
import { best } from "../answer/take-best.ts";
import { NameSearch, WAYS } from "../names/best-names.ts";
import { NEAR_SCORE, getMatch, readWanted } from "../names/search-score.ts";
import type { Match } from "../names/search-score.ts";
import { isIn, scopeMask } from "../names/scope.ts";
import { MAX_TERMS } from "../answer/file-words.ts";
import { searchTerms } from "./words.ts";
import { wordHits } from "./word-search.ts";
import type { GraphView } from "../answer/view.ts";

export interface SearchInput {
  readonly query: string;
  readonly type?: "file" | "symbol" | "directory" | "all";
  readonly limit?: number;
  readonly scope?: string;
}

interface Hit {
  readonly type: "file" | "symbol" | "directory";
  readonly path: string;
  readonly line?: number;
  readonly name: string;
  readonly kind?: string;
  readonly match: Match;
  readonly score: number;
  readonly importers?: number;
  readonly exports?: number;
  /** The line in which words were found. */
  readonly text?: string;
}

/** The sort keys of a hit; the hit itself is created only if it is shown. */
interface Ranked {
  readonly type: Hit["type"];
  readonly path: string;
  readonly score: number;
  readonly rank: number;
  make(): Hit;
}

interface Asked {
  readonly graph: CodeGraph;
  readonly query: string;
  readonly mask: Uint8Array | undefined;
}

/** The most names to sort. The best names are among them. */
const MAX_NAMES = 200;
const MAX_HITS = 500;
/**
 * The most definitions to collect. Names are sorted by match, so later definitions would not be
 * shown.
 */
const MAX_DEFINITIONS = 2_000;

type Way = (typeof WAYS)[number];

function searchedPaths({ graph, query }: Asked): NameSearch {
  const index = pathIndex(graph);
  const isPath = query.includes("/");
  const bases = isPath ? index.paths : index.bases;
  const names = {
    letters: isPath ? index.letters : index.baseLetters,
    lower: isPath ? index.lower : index.lowerBases,
    nameAt: (at: number) => bases[at]!,
  };
  return new NameSearch(names, readWanted(query));
}

function pathHits({ graph, mask }: Asked, searched: NameSearch, way: Way): Ranked[] {
  const index = pathIndex(graph);
  const isWanted = (at: number): boolean => {
    const file = index.files[at];
    return file === undefined ? mask === undefined : isIn(mask, file);
  };
  return searched
    .best(way, MAX_HITS, isWanted)
    .map(({ at, score }) => pathHit(graph, index.paths[at]!, index.files[at], score));
}

const hundredths = (score: number): number => Math.round(score * 100);

function rounded(score: number): Pick<Hit, "match" | "score"> {
  return { match: getMatch(score), score: hundredths(score) / 100 };
}

function pathHit(graph: CodeGraph, path: string, file: number | undefined, score: number): Ranked {
  const about = (): Omit<Hit, "type"> => ({ path, name: baseName(path), ...rounded(score) });
  if (file === undefined) {
    const make = (): Hit => ({ type: "directory", ...about() });
    return { type: "directory", path, score, rank: 0, make };
  }
  const make = (): Hit => ({
    type: "file",
    ...about(),
    importers: linkCount(linksIn(graph), file),
    exports: exportCount(graph, file),
  });
  return { type: "file", path, score, rank: overallRank(graph)[file]!, make };
}

interface NameMatch {
  readonly name: string;
  readonly score: number;
}

/** The names of symbols for each kind of match, the best first. */
function namesLike(graph: CodeGraph, query: string): (way: Way) => NameMatch[] {
  const { ids, lower, letters } = nameIndex(graph);
  const nameAt = (at: number): string => graph.strings.get(ids[at]!);
  const searched = new NameSearch({ letters, lower, nameAt }, readWanted(query));
  return (way) =>
    searched.best(way, MAX_NAMES).map(({ at, score }) => ({ name: nameAt(at), score }));
}

/** Names that contain the text or match by words; separate letters only if there are none. */
export function matchingNames(graph: CodeGraph, query: string): NameMatch[] {
  const namesBy = namesLike(graph, query);
  for (const way of WAYS) {
    const found = namesBy(way);
    if (found.length > 0) return found;
  }
  return [];
}

function symbolHits({ graph, query, mask }: Asked, names: readonly NameMatch[]): Ranked[] {
  const owner = query.includes(".") ? query.slice(0, query.lastIndexOf(".")) : undefined;
  const found: Ranked[] = [];
  for (const { name, score } of names) {
    if (found.length >= MAX_DEFINITIONS) break;
    for (const definition of namedDefinitions(graph, name, undefined)) {
      if (!isIn(mask, definition.file)) continue;
      if (owner !== undefined && !definition.name.startsWith(`${owner}.`)) continue;
      found.push(symbolHit(graph, definition, score));
    }
  }
  return found;
}

function symbolHit(graph: CodeGraph, definition: Definition, score: number): Ranked {
  const { file, symbol, export: row, name } = definition;
  const path = graph.files.path(file);
  const make = (): Hit => ({
    type: "symbol",
    path,
    line: symbol === undefined ? graph.exports.line(row!) : graph.symbols.range(symbol).line,
    name,
    ...(symbol !== undefined && { kind: graph.symbols.kind(symbol) }),
    ...rounded(score),
  });
  return { type: "symbol", path, score, rank: overallRank(graph)[file]!, make };
}

/** The last part of `Class.method`. */
function lastPart(query: string): string {
  return query.slice(query.lastIndexOf(".") + 1) || query;
}

/** If no name matches, it may be a typing mistake. */
function nearHits(asked: Asked): Ranked[] {
  const { graph, query } = asked;
  const files = nearPaths(graph, query).map((path): Ranked => {
    const type = graph.files.find(path) === undefined ? "directory" : "file";
    const make = (): Hit => ({ type, path, name: baseName(path), ...rounded(NEAR_SCORE) });
    return { type, path, score: NEAR_SCORE, rank: 0, make };
  });
  const names = nearSymbols(graph, query).map((name) => ({ name, score: NEAR_SCORE }));
  return [...symbolHits({ ...asked, query: "" }, names), ...files];
}

function compareHits(a: Ranked, b: Ranked): number {
  const closer = hundredths(b.score) - hundredths(a.score);
  if (closer !== 0) return closer;
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.path.length !== b.path.length) return a.path.length - b.path.length;
  return a.path < b.path ? -1 : 1;
}

function followUps([first]: readonly Hit[]): FollowUp[] {
  if (first === undefined) return [{ tool: "tree", args: {}, reason: "list the folders" }];
  if (first.type === "directory") {
    return [{ tool: "tree", args: { path: first.path }, reason: "its content" }];
  }
  const target = first.type === "symbol" ? `${first.path}#${first.name}` : first.path;
  return [{ tool: "impact", args: { target }, reason: "dependents of the first one" }];
}

function hitsFor(asked: Asked, type: NonNullable<SearchInput["type"]>): Ranked[] {
  const wanted = (hits: readonly Ranked[]): Ranked[] =>
    best(
      hits.filter((hit) => type === "all" || hit.type === type),
      MAX_HITS,
      compareHits,
    );
  const hasSymbols = type === "all" || type === "symbol";
  const namesBy = hasSymbols ? namesLike(asked.graph, lastPart(asked.query)) : undefined;
  const searched = type === "symbol" ? undefined : searchedPaths(asked);
  for (const way of WAYS) {
    const symbols = namesBy === undefined ? [] : symbolHits(asked, namesBy(way));
    const paths = searched === undefined ? [] : pathHits(asked, searched, way);
    const found = wanted([...paths, ...symbols]);
    if (found.length > 0) return found;
  }
  return wanted(nearHits(asked));
}

/** Searches several words in names, paths, comments and strings. */
async function textHits(
  view: GraphView,
  { query, mask }: Asked,
  type: NonNullable<SearchInput["type"]>,
  signal: AbortSignal | undefined,
): Promise<Ranked[]> {
  const terms = searchTerms(query).slice(0, MAX_TERMS);
  const words = await view.words(terms, signal);
  const found = wordHits(view, terms.join(" "), words, mask);
  const most = Math.max(1, ...found.map(({ score }) => score));
  return found
    .filter((hit) => type === "all" || hit.type === type)
    .slice(0, MAX_HITS)
    .map(({ rank, score, name, findLine, ...hit }) => ({
      type: hit.type,
      path: hit.path,
      score,
      rank,
      make: () => {
        const line = findLine();
        return {
          ...hit,
          line,
          name: hit.type === "file" ? baseName(hit.path) : name,
          match: "words",
          score: hundredths(score / most) / 100,
          text: view.lineText(hit.path, line),
        };
      },
    }));
}

/**
 * Finds files, folders and symbols by parts of their names, by camelCase initials, or by several
 * words.
 */
export async function search(
  view: GraphView,
  input: SearchInput,
  signal?: AbortSignal,
): Promise<Answer<Ranked>> {
  const { type = "all", limit = 20 } = input;
  const asked: Asked = {
    graph: view.graph,
    query: input.query.trim(),
    mask: scopeMask(view, input.scope),
  };
  const isText = /\s/u.test(asked.query) && type !== "directory";
  const inText = isText ? await textHits(view, asked, type, signal) : [];
  const hits = inText.length > 0 ? inText : hitsFor(asked, type);
  return {
    items: hits,
    limit,
    limits: { maxItems: limit },
    next: followUps(hits.slice(0, 1).map((hit) => hit.make())),
    render: (shown) => ({ results: shown.map((hit) => hit.make()) }),
  };
}
