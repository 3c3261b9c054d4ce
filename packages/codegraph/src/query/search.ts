import type { CodeGraph } from "../graph/index.ts";
import { linkCount, linksIn, overallRank } from "../analysis/index.ts";
import type { Answer, FollowUp } from "./answer.ts";
import { exportCount } from "./digest.ts";
import { namedDefinitions } from "./definitions.ts";
import { baseName, nameIndex, pathIndex } from "./names.ts";
import { nearPaths, nearSymbols } from "./near.ts";
import { best } from "./best.ts";
import { scoreFuzzy, scoreMatch } from "./search-score.ts";
import type { Match, Scored } from "./search-score.ts";
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

interface Asked {
  readonly graph: CodeGraph;
  readonly query: string;
  readonly mask: Uint8Array | undefined;
}

/** More than these are not put in order; the best are among them. */
const MAX_NAMES = 200;
const MAX_HITS = 1_000;

/** The better way of matching for all names, and letters apart only where that finds nothing. */
type Score = (query: string, wanted: string, name: string, lower: string) => Scored | undefined;

const WAYS: readonly Score[] = [
  scoreMatch,
  (_query, wanted, _name, lower) => scoreFuzzy(wanted, lower),
];

function pathHits(view: Asked, score: Score): Ranked[] {
  const { graph, query, mask } = view;
  const index = pathIndex(graph);
  const wanted = query.toLowerCase();
  const bits = lettersOf(wanted);
  const isPath = wanted.includes("/");
  const [names, lower, letters] = isPath
    ? [index.paths, index.lower, index.letters]
    : [index.bases, index.lowerBases, index.baseLetters];
  const hits: Ranked[] = [];
  for (let at = 0; at < names.length; at++) {
    if ((bits & ~letters[at]!) !== 0) continue;
    const file = index.files[at];
    if (file === undefined ? mask !== undefined : !isIn(mask, file)) continue;
    const found = score(query, wanted, names[at]!, lower[at]!);
    if (found !== undefined) hits.push(pathHit(graph, index.paths[at]!, file, found));
  }
  return hits;
}

function pathHit(graph: CodeGraph, path: string, file: number | undefined, found: Scored): Ranked {
  const name = baseName(path);
  if (file === undefined) return { rank: 0, hit: { type: "directory", path, name, ...found } };
  const importers = linkCount(linksIn(graph), file);
  const exports = exportCount(graph, file);
  return {
    rank: overallRank(graph)[file]!,
    hit: { type: "file", path, name, ...found, importers, exports },
  };
}

interface NameMatch extends Scored {
  readonly name: string;
}

/** The best of the names that match; of very many only the first are put in order. */
function namesLike(graph: CodeGraph, query: string, score: Score): NameMatch[] {
  const { ids, lower, letters } = nameIndex(graph);
  const wanted = query.toLowerCase();
  const bits = lettersOf(wanted);
  const found: NameMatch[] = [];
  for (let at = 0; at < ids.length; at++) {
    if ((bits & ~letters[at]!) !== 0) continue;
    const name = graph.strings.get(ids[at]!);
    const scored = score(query, wanted, name, lower[at]!);
    if (scored !== undefined) found.push({ name, ...scored });
  }
  return best(found, MAX_NAMES, (a, b) => b.score - a.score || a.name.length - b.name.length);
}

/** Names in one piece or by their words; letters apart where there are none. */
export function matchingNames(graph: CodeGraph, query: string): NameMatch[] {
  for (const score of WAYS) {
    const found = namesLike(graph, query, score);
    if (found.length > 0) return found;
  }
  return [];
}

function symbolHits({ graph, query, mask }: Asked, names: readonly NameMatch[]): Ranked[] {
  const rank = overallRank(graph);
  const owner = query.includes(".") ? query.slice(0, query.lastIndexOf(".")) : undefined;
  return names.flatMap(({ name, match, score }) =>
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
          match,
          score,
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
  const names = nearSymbols(graph, query).map((name) => ({ name, ...near }));
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
  for (const score of WAYS) {
    const names =
      type === "all" || type === "symbol"
        ? namesLike(asked.graph, lastPart(asked.query), score)
        : [];
    const paths = type === "symbol" ? [] : pathHits(asked, score);
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
