import type { ResultMeta } from "../envelope/index.ts";
import { fitTokens } from "./fit.ts";
import { estimateTokens } from "./tokens.ts";

/** Fields to remove if an envelope has little room. The least important comes first. */
const OPTIONAL = ["next", "limits", "timings", "attempts", "warnings", "pagination"] as const;
const WARNINGS_SHARE = 0.25;
const META_SHARE = 0.6;

function measureMeta(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}

function trimWarnings(meta: ResultMeta, budget: number): ResultMeta {
  if (meta.warnings === undefined || measureMeta(meta.warnings) <= budget) return meta;
  const { data } = fitTokens(meta.warnings, budget);
  return { ...meta, warnings: Array.isArray(data) ? (data as string[]) : [] };
}

/** Shortens the metadata, so that it does not take the room of the data. */
export function trimMeta(meta: ResultMeta, budget: number): ResultMeta {
  const trimmed = { ...trimWarnings(meta, budget * WARNINGS_SHARE) };
  for (const key of OPTIONAL) {
    if (measureMeta(trimmed) <= budget * META_SHARE) break;
    delete trimmed[key];
  }
  return trimmed;
}
