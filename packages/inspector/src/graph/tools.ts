import { ask } from "../api/ask.ts";

/** What the tools say of how much they saw. */
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

/** A tool's answer as it came, and what it holds. */
export interface ToolAnswer<T> {
  readonly capability_id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data: T;
}

/** Room for what a person looks at; agents get less unless they ask. */
const MAX_TOKENS = 8_000;

async function callTool<T>(
  tool: string,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolAnswer<T>> {
  const capability_id = `graph.${tool}`;
  const params = { ...given, maxTokens: MAX_TOKENS };
  const path = `/v1/execute/${capability_id}`;
  const { data } = await ask<{ data: T }>(path, { body: { params }, signal });
  return { capability_id, params, data };
}

export function impactOf(
  target: string | undefined,
  signal: AbortSignal,
): Promise<ToolAnswer<ImpactAnswer>> {
  return callTool("impact", target === undefined ? { changedSince: "HEAD" } : { target }, signal);
}

export function pathBetween(
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<ToolAnswer<PathAnswer>> {
  return callTool("path", { from, to, maxDepth: 100, maxPaths: 3 }, signal);
}

export function symbolsOf(target: string, signal: AbortSignal): Promise<ToolAnswer<SymbolsAnswer>> {
  return callTool("symbols", { target, mode: "document", limit: 200 }, signal);
}
