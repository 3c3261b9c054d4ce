import { isBuiltin } from "node:module";
import type { CodeGraph } from "../graph/index.ts";
import { compileScope } from "../patterns/index.ts";
import { foldersOf } from "./folders.ts";
import { listedPaths } from "./places.ts";
import type { LayerRules, Place } from "./rule.ts";

/** A pattern that matches no file, so that its rule has no effect. */
export interface Unmatched {
  readonly rule: string;
  readonly part: "from" | "to" | "module";
  readonly pattern: string;
}

interface Named {
  readonly rule: string;
  readonly part: Unmatched["part"];
  readonly place: Place | undefined;
  readonly ofFolders: boolean;
}

const MAX_UNMATCHED = 100;
/** A placeholder for another pattern's capture, which differs between files. */
const PLACEHOLDER = /\$\d/u;
/**
 * Aliases, relative paths, hosts, schemes and wildcards may refer to something outside of the tree.
 */
const ELSEWHERE = /^[@~#$*({[]|^[^/]*\.[^/]*\/|:|(?:^|\/)node_modules(?:\/|$)/u;

function* ruleParts({ forbidden = [], allowed = [], required = [] }: LayerRules): Generator<Named> {
  for (const { name: rule, from, to, module, scope } of forbidden) {
    const ofFolders = scope === "folder";
    yield { rule, part: "from", place: from, ofFolders };
    yield { rule, part: "to", place: to, ofFolders };
    yield { rule, part: "module", place: module, ofFolders };
  }
  for (const [at, { from, to }] of allowed.entries()) {
    yield { rule: `allowed[${at}]`, part: "from", place: from, ofFolders: false };
    yield { rule: `allowed[${at}]`, part: "to", place: to, ofFolders: false };
  }
  for (const { name: rule, module, to } of required) {
    yield { rule, part: "module", place: module, ofFolders: false };
    yield { rule, part: "to", place: to, ofFolders: false };
  }
}

/** A rule may forbid a package that nobody imports, so such a pattern is not reported. */
function mayLeadOut(pattern: string): boolean {
  const [first = ""] = pattern.split("/");
  return ELSEWHERE.test(pattern) || first === pattern || isBuiltin(first);
}

class Known {
  readonly #graph: CodeGraph;
  readonly #found = new Map<string, boolean>();

  constructor(graph: CodeGraph) {
    this.#graph = graph;
  }

  has(pattern: string, ofFolders: boolean): boolean {
    const key = `${ofFolders} ${pattern}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#look(pattern, ofFolders);
    this.#found.set(key, found);
    return found;
  }

  #look(pattern: string, ofFolders: boolean): boolean {
    const { matches } = compileScope(pattern);
    const { files } = this.#graph;
    for (let file = 0; file < files.count; file++) if (matches(files.path(file))) return true;
    return ofFolders && foldersOf(this.#graph).names.some(matches);
  }
}

/**
 * The patterns of rules that match no file. A pattern of `to` is left out if it may refer to
 * something outside of the tree.
 */
export function unmatchedPatterns(graph: CodeGraph, rules: LayerRules): readonly Unmatched[] {
  const known = new Known(graph);
  const found: Unmatched[] = [];
  for (const { rule, part, place, ofFolders } of ruleParts(rules)) {
    for (const pattern of listedPaths(place?.path)) {
      if (PLACEHOLDER.test(pattern) || (part === "to" && mayLeadOut(pattern))) continue;
      if (known.has(pattern, ofFolders)) continue;
      if (found.push({ rule, part, pattern }) >= MAX_UNMATCHED) return found;
    }
  }
  return found;
}
