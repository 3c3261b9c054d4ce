import type { ToolCall } from "./use-tool.ts";

/** The levels of completeness of the tools' answers. */
interface Known {
  readonly completeness?: "exact" | "lower-bound";
  readonly why?: readonly string[];
}

export interface ImpactAnswer extends Known {
  readonly target: string;
  readonly directDependentsTotal: number;
  readonly transitiveImpact: Readonly<Record<string, number>>;
  readonly affectedEntrypoints: readonly { readonly type: string; readonly name: string }[];
  readonly affectedEntrypointsTotal?: number;
  readonly affectedTests: readonly string[];
  readonly affectedTestsTotal?: number;
  readonly riskAssessment: {
    readonly level: string;
    readonly reason: string;
    readonly factors: readonly string[];
  };
}

export interface PathAnswer extends Known {
  readonly connected: boolean;
  readonly shortestPath: number | null;
  readonly paths: readonly { readonly nodes: readonly string[]; readonly length: number }[];
}

export interface SymbolItem {
  readonly name: string;
  readonly kind: string;
  readonly range: { readonly start: string };
  readonly children?: readonly SymbolItem[];
}

export interface SymbolsAnswer {
  readonly path: string;
  readonly symbols: readonly SymbolItem[];
}

/** The impact of a file, or of all changes since the last commit. */
export function getImpact(target: string | undefined): ToolCall {
  return { tool: "impact", params: target === undefined ? { changedSince: "HEAD" } : { target } };
}

export function pathBetween(from: string, to: string): ToolCall {
  return { tool: "path", params: { from, to, maxDepth: 100, maxPaths: 3 } };
}

export function getSymbols(target: string): ToolCall {
  return { tool: "symbols", params: { target, mode: "document", limit: 200 } };
}
