import {
  callHierarchy,
  changes,
  cycles,
  definition,
  digest,
  impact,
  implementations,
  issueExplain,
  issueFixplan,
  issues,
  layers,
  moduleInfo,
  path,
  references,
  rename,
  search,
  source,
  symbols,
  tests,
  tree,
} from "../query/index.ts";
import type { Answer, GraphToolName, GraphView } from "../query/index.ts";

import type { SymbolNeed } from "./workspace.ts";

/** A tool that changes files. */
export type WritingTool = "annotations" | "rename_apply";

/** A tool that only reads. */
export type QuestionName = Exclude<GraphToolName, WritingTool>;

export interface Question {
  readonly description: string;
  /** The default token limit of an answer. The estimate of tokens is 20 % too high. */
  readonly tokens: number;
  readonly symbols: SymbolNeed;
  ask(view: GraphView, input: never, signal?: AbortSignal): Answer | Promise<Answer>;
}

/** Every question, with its description and the function that answers it. */
export const QUESTIONS: Readonly<Record<QuestionName, Question>> = {
  digest: {
    description: "Overview of the code base: size, entry points, hotspots, issues",
    tokens: 605,
    symbols: "likes",
    ask: digest,
  },
  issues: {
    description: "Problems in the code, errors first",
    tokens: 2_000,
    symbols: "likes",
    ask: issues,
  },
  impact: {
    description: "Dependents of a file, a symbol or a diff, and the risk of a change",
    tokens: 490,
    symbols: "likes",
    ask: impact,
  },
  path: {
    description: "The shortest chain of imports from one file to another",
    tokens: 262,
    symbols: "none",
    ask: path,
  },
  module: {
    description: "One file: imports, importers, exports and who uses them",
    tokens: 650,
    symbols: "likes",
    ask: moduleInfo,
  },
  cycles: {
    description: "Import cycles and where to break them",
    tokens: 2_000,
    symbols: "none",
    ask: cycles,
  },
  layers: {
    description: "Dependency rules: check, list, suggest",
    tokens: 2_000,
    symbols: "none",
    ask: layers,
  },
  search: {
    description: "Files, folders and symbols by parts of their names or by words of their text",
    tokens: 1_000,
    symbols: "likes",
    ask: search,
  },
  tree: {
    description: "The folders, with counts of everything below them",
    tokens: 1_500,
    symbols: "none",
    ask: tree,
  },
  symbols: {
    description: "The symbols of a file, or of the tree by name",
    tokens: 1_500,
    symbols: "waits",
    ask: symbols,
  },
  references: {
    description: "Every place that uses a symbol",
    tokens: 900,
    symbols: "waits",
    ask: references,
  },
  definition: {
    description: "Where a symbol is defined, through barrels and aliases",
    tokens: 500,
    symbols: "waits",
    ask: definition,
  },
  implementations: {
    description: "Implementations and overrides of a type or member",
    tokens: 700,
    symbols: "waits",
    ask: implementations,
  },
  call_hierarchy: {
    description: "The callers and callees of a function",
    tokens: 780,
    symbols: "waits",
    ask: callHierarchy,
  },
  issue_explain: {
    description: "One issue: evidence, impact, ways to fix it",
    tokens: 1_000,
    symbols: "likes",
    ask: issueExplain,
  },
  issue_fixplan: {
    description: "The edits that fix up to five issues",
    tokens: 2_000,
    symbols: "likes",
    ask: issueFixplan,
  },
  source: {
    description: "A symbol's code with its comment, callers and callees",
    tokens: 1_500,
    symbols: "waits",
    ask: source,
  },
  rename: {
    description: "The edits that rename a symbol; nothing is written",
    tokens: 1_500,
    symbols: "waits",
    ask: rename,
  },
  tests: {
    description: "The tests that a change affects, as arguments of their runners",
    tokens: 1_500,
    symbols: "waits",
    ask: tests,
  },
  changes: {
    description: "Changes since a revision: the files they affect, the issues they add and fix",
    tokens: 2_000,
    symbols: "waits",
    ask: changes,
  },
};
