import type { Completeness } from "../completeness/completeness.ts";

export interface Risk {
  readonly level: "low" | "medium" | "high" | "unknown";
  readonly reason: string;
  readonly factors: readonly string[];
}

export interface RiskInputs {
  readonly direct: number;
  readonly affected: number;
  readonly modules: number;
  readonly entrypoints: number;
  readonly tests: number;
  readonly isPublic: boolean;
  readonly newErrors: number;
  /** A name that is still used but no longer exists. */
  readonly missed?: string | undefined;
  readonly known: Completeness;
}

const MANY = 50;
const SOME = 10;
const LARGE_SHARE = 0.1;

function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

function getFactors(facts: RiskInputs): string[] {
  const { affected, entrypoints, tests, isPublic, newErrors, missed, known } = facts;
  return [
    ...(newErrors > 0 ? [plural(newErrors, "new error")] : []),
    ...(missed === undefined ? [] : [`${missed} is still used but no longer exists`]),
    ...(affected > 0 ? [plural(affected, "affected file")] : []),
    ...(entrypoints > 0 ? [plural(entrypoints, "entrypoint")] : []),
    ...(isPublic ? ["public API"] : []),
    ...(affected > 0 && tests === 0 ? ["no test reaches it"] : []),
    ...(known.completeness === "lower-bound" ? ["dependents may be missing"] : []),
  ];
}

/**
 * Never "low" if something is broken or unknown: no known dependents does not mean no dependents.
 */
export function assessRisk(facts: RiskInputs): Risk {
  const { direct, affected, modules, entrypoints, isPublic, newErrors, missed, known } = facts;
  const isBroken = newErrors > 0 || missed !== undefined;
  const factors = getFactors(facts);
  if (direct === 0 && entrypoints === 0 && !isBroken && known.completeness === "lower-bound") {
    const reason = "no dependents were found, but some may be missing";
    return { level: "unknown", reason, factors };
  }
  const isLarge = affected >= MANY || (affected >= SOME && affected >= modules * LARGE_SHARE);
  if (isLarge || entrypoints >= SOME) {
    return { level: "high", reason: "many files or entry points depend on it", factors };
  }
  if (isBroken) return { level: "medium", reason: "it breaks code that worked before", factors };
  if (affected >= SOME || entrypoints > 0 || isPublic) {
    return {
      level: "medium",
      reason: "several files or an entry point depend on it, or it is public",
      factors,
    };
  }
  const reason = affected === 0 ? "nothing depends on it" : "few files depend on it";
  return { level: "low", reason, factors };
}
