import type { CodeGraph } from "../graph/index.ts";
import { linkCount, linksIn, overallRank } from "../analysis/index.ts";
import type { Answer, FollowUp } from "./answer.ts";
import { exportCount } from "./digest.ts";
import { namedDefinitions } from "./definitions.ts";
import { baseName, nameIndex, pathIndex } from "./names.ts";
import { nearPaths, nearSymbols } from "./near.ts";
import { scoreMatch } from "./search-score.ts";
import type { Match } from "./search-score.ts";
import { lettersOf } from "./search-letters.ts";
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

/** More names than these are not looked at one by one; the best are among them. */
const MAX_NAMES = 300;

function pathHits(graph: CodeGraph, query: string, mask: Uint8Array | undefined): Ranked[] {
  const { paths, files, lower, letters } = pathIndex(graph);
  const wanted = query.toLowerCase();
  const bits = lettersOf(wanted);
  const incoming = linksIn(graph);
  const rank = overallRank(graph);
  const hits: Ranked[] = [];
  for (let at = 0; at < paths.length; at++) {
    if ((bits & ~letters[at]!) !== 0) continue;
    const file = files[at];
    if (file === undefined ? mask !== undefined : !isIn(mask, file)) continue;
    const path = paths[at]!;
    const found = wanted.includes("/")
      ? scoreMatch(query, wanted, path, lower[at]!)
      : scoreMatch(query, wanted, baseName(path), baseName(lower[at]!));
    if (found === undefined) continue;
    hits.push({
      rank: file === undefined ? 0 : rank[file]!,
      hit: {
        type: file === undefined ? "directory" : "file",
        path,
        name: baseName(path),
        ...found,
        ...(file !== undefined && {
          importers: linkCount(incoming, file),
          exports: exportCount(graph, file),
        }),
      },
    });
  }
  return hits;
}

function matchingNames(
  graph: CodeGraph,
  query: string,
): { name: string; match: Match; score: number }[] {
  const { ids, lower, letters } = nameIndex(graph);
  const wanted = query.toLowerCase();
  const bits = lettersOf(wanted);
  const found: { name: string; match: Match; score: number }[] = [];
  for (let at = 0; at < ids.length; at++) {
    if ((bits & ~letters[at]!) !== 0) continue;
    const name = graph.strings.get(ids[at]!);
    const scored = scoreMatch(query, wanted, name, lower[at]!);
    if (scored !== undefined) found.push({ name, ...scored });
  }
  return found
    .toSorted((a, b) => b.score - a.score || a.name.length - b.name.length)
    .slice(0, MAX_NAMES);
}

function symbolHits(graph: CodeGraph, query: string, mask: Uint8Array | undefined): Ranked[] {
  const rank = overallRank(graph);
  const last = query.slice(query.lastIndexOf(".") + 1);
  return matchingNames(graph, last === "" ? query : last).flatMap(({ name, match, score }) =>
    namedDefinitions(graph, name, undefined)
      .filter(({ file }) => isIn(mask, file))
      .map(({ file, symbol, export: row, name: qualified }) => ({
        rank: rank[file]!,
        hit: {
          type: "symbol" as const,
          path: graph.files.path(file),
          line: symbol === undefined ? graph.exports.line(row!) : graph.symbols.range(symbol).line,
          name: qualified,
          ...(symbol !== undefined && { kind: graph.symbols.kind(symbol) }),
          match,
          score,
        },
      })),
  );
}

/** Nothing has the letters in their order, so it may be a slip of the hand. */
function nearHits(graph: CodeGraph, query: string): Ranked[] {
  const near = { match: "near" as const, score: 0.3 };
  const files = nearPaths(graph, query).map((path) => ({
    rank: 0,
    hit: {
      type: graph.files.find(path) === undefined ? ("directory" as const) : ("file" as const),
      path,
      name: baseName(path),
      ...near,
    },
  }));
  const symbols = nearSymbols(graph, query).flatMap((name) => symbolHits(graph, name, undefined));
  return [
    ...symbols
      .filter(({ hit }) => hit.match === "exact")
      .map(({ hit, rank }) => ({
        rank,
        hit: { ...hit, ...near },
      })),
    ...files,
  ];
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

/** Files, folders and symbols by parts of their names, camelCase initials, or nearly their name. */
export function search(view: GraphView, input: SearchInput): Answer<Hit> {
  const { graph } = view;
  const { type = "all", limit = 20 } = input;
  const query = input.query.trim();
  const mask = scopeMask(view, input.scope);
  const all = [...pathHits(graph, query, mask), ...symbolHits(graph, query, mask)];
  const wanted = (hits: readonly Ranked[]): Ranked[] =>
    hits.filter(({ hit }) => type === "all" || hit.type === type).toSorted(compare);
  const found = wanted(all);
  const ranked = found.length > 0 ? found : wanted(nearHits(graph, query));
  const hits = ranked.map(({ hit }) => hit);
  return {
    items: hits,
    limit,
    limits: { maxItems: limit },
    next: followUps(hits),
    render: (shown) => ({ results: shown }),
  };
}
