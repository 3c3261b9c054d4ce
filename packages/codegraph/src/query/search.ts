import type { CodeGraph } from "../graph/index.ts";
import { linkCount, linksIn, overallRank } from "../analysis/index.ts";
import type { Answer, FollowUp } from "./answer.ts";
import { exportCount } from "./digest.ts";
import { namedDefinitions } from "./definitions.ts";
import { baseName, nameIndex, pathIndex } from "./names.ts";
import { nearPaths, nearSymbols } from "./near.ts";
import { best } from "./best.ts";
import { WAYS, bestNames } from "./best-names.ts";
import { NEAR_SCORE, matchOf, wantedOf } from "./search-score.ts";
import type { Match } from "./search-score.ts";
import { isIn, scopeMask } from "./scope.ts";
import type { GraphView } from "./view.ts";

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
}

interface Ranked {
  readonly hit: Hit;
  readonly rank: number;
}

interface Asked {
  readonly graph: CodeGraph;
  readonly query: string;
  readonly mask: Uint8Array | undefined;
}

/** More than these are not put in order; the best are among them. */
const MAX_NAMES = 200;
const MAX_HITS = 500;

function pathHits({ graph, query, mask }: Asked, way: (typeof WAYS)[number]): Ranked[] {
  const index = pathIndex(graph);
  const isPath = query.includes("/");
  const bases = isPath ? index.paths : index.bases;
  const names = {
    count: bases.length,
    letters: isPath ? index.letters : index.baseLetters,
    lower: isPath ? index.lower : index.lowerBases,
    nameAt: (at: number) => bases[at]!,
  };
  const isWanted = (at: number): boolean => {
    const file = index.files[at];
    return file === undefined ? mask === undefined : isIn(mask, file);
  };
  return bestNames(names, wantedOf(query), way, MAX_HITS, isWanted).map(({ at, score }) =>
    pathHit(graph, index.paths[at]!, index.files[at], score),
  );
}

function rounded(score: number): Pick<Hit, "match" | "score"> {
  return { match: matchOf(score), score: Math.round(score * 100) / 100 };
}

function pathHit(graph: CodeGraph, path: string, file: number | undefined, score: number): Ranked {
  const about = { path, name: baseName(path), ...rounded(score) };
  if (file === undefined) return { rank: 0, hit: { type: "directory", ...about } };
  const importers = linkCount(linksIn(graph), file);
  const exports = exportCount(graph, file);
  return {
    rank: overallRank(graph)[file]!,
    hit: { type: "file", ...about, importers, exports },
  };
}

interface NameMatch {
  readonly name: string;
  readonly score: number;
}

function namesLike(graph: CodeGraph, query: string, way: (typeof WAYS)[number]): NameMatch[] {
  const { ids, lower, letters } = nameIndex(graph);
  const nameAt = (at: number): string => graph.strings.get(ids[at]!);
  const names = { count: ids.length, letters, lower, nameAt };
  return bestNames(names, wantedOf(query), way, MAX_NAMES).map(({ at, score }) => ({
    name: nameAt(at),
    score,
  }));
}

/** Names in one piece or by their words; letters apart where there are none. */
export function matchingNames(graph: CodeGraph, query: string): NameMatch[] {
  for (const way of WAYS) {
    const found = namesLike(graph, query, way);
    if (found.length > 0) return found;
  }
  return [];
}

function symbolHits({ graph, query, mask }: Asked, names: readonly NameMatch[]): Ranked[] {
  const rank = overallRank(graph);
  const owner = query.includes(".") ? query.slice(0, query.lastIndexOf(".")) : undefined;
  return names.flatMap(({ name, score }) =>
    namedDefinitions(graph, name, undefined)
      .filter(({ file, name: qualified }) => {
        return isIn(mask, file) && (owner === undefined || qualified.startsWith(`${owner}.`));
      })
      .map(({ file, symbol, export: row, name: qualified }) => ({
        rank: rank[file]!,
        hit: {
          type: "symbol" as const,
          path: graph.files.path(file),
          line: symbol === undefined ? graph.exports.line(row!) : graph.symbols.range(symbol).line,
          name: qualified,
          ...(symbol !== undefined && { kind: graph.symbols.kind(symbol) }),
          ...rounded(score),
        },
      })),
  );
}

/** What the last part of `Class.method` names. */
function lastPart(query: string): string {
  return query.slice(query.lastIndexOf(".") + 1) || query;
}

/** Nothing has the letters in their order, so it may be a slip of the hand. */
function nearHits(asked: Asked): Ranked[] {
  const { graph, query } = asked;
  const near = rounded(NEAR_SCORE);
  const files = nearPaths(graph, query).map((path) => ({
    rank: 0,
    hit: {
      type: graph.files.find(path) === undefined ? ("directory" as const) : ("file" as const),
      path,
      name: baseName(path),
      ...near,
    },
  }));
  const names = nearSymbols(graph, query).map((name) => ({ name, score: NEAR_SCORE }));
  return [...symbolHits({ ...asked, query: "" }, names), ...files];
}

function compare(a: Ranked, b: Ranked): number {
  if (a.hit.score !== b.hit.score) return b.hit.score - a.hit.score;
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.hit.path.length !== b.hit.path.length) return a.hit.path.length - b.hit.path.length;
  return a.hit.path < b.hit.path ? -1 : 1;
}

function followUps([first]: readonly Hit[]): FollowUp[] {
  if (first === undefined) return [{ tool: "tree", args: {}, reason: "see what there is" }];
  if (first.type === "directory") {
    return [{ tool: "tree", args: { path: first.path }, reason: "what is in it" }];
  }
  const target = first.type === "symbol" ? `${first.path}#${first.name}` : first.path;
  return [{ tool: "impact", args: { target }, reason: "what depends on the first one" }];
}

function hitsFor(asked: Asked, type: NonNullable<SearchInput["type"]>): Ranked[] {
  const wanted = (hits: readonly Ranked[]): Ranked[] =>
    best(
      hits.filter(({ hit }) => type === "all" || hit.type === type),
      MAX_HITS,
      compare,
    );
  for (const way of WAYS) {
    const names =
      type === "all" || type === "symbol" ? namesLike(asked.graph, lastPart(asked.query), way) : [];
    const paths = type === "symbol" ? [] : pathHits(asked, way);
    const found = wanted([...paths, ...symbolHits(asked, names)]);
    if (found.length > 0) return found;
  }
  return wanted(nearHits(asked));
}

/** Files, folders and symbols by parts of their names, camelCase initials, or nearly their name. */
export function search(view: GraphView, input: SearchInput): Answer<Hit> {
  const { type = "all", limit = 20 } = input;
  const asked: Asked = {
    graph: view.graph,
    query: input.query.trim(),
    mask: scopeMask(view, input.scope),
  };
  const ranked = hitsFor(asked, type);
  const hits = ranked.map(({ hit }) => hit);
  return {
    items: hits,
    limit,
    limits: { maxItems: limit },
    next: followUps(hits),
    render: (shown) => ({ results: shown }),
  };
}
