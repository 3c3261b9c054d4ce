import { cards } from "./cards.ts";

/** How many capabilities a token can call, and which ones need a scope that it lacks. */
export interface TokenAbilities {
  readonly usable: number;
  readonly total: number;
  /** The ids that need each missing scope. */
  readonly lacking: Readonly<Record<string, readonly string[]>>;
}

/** Checks every capability by the scopes that its card declares. */
export function tokenAbilities(scopes: readonly string[]): TokenAbilities {
  const lacking: Record<string, string[]> = {};
  let usable = 0;
  for (const { id } of cards.summaries) {
    const missing = (cards.cardById(id)?.scopes ?? []).filter((scope) => !scopes.includes(scope));
    if (missing.length === 0) usable += 1;
    for (const scope of missing) (lacking[scope] ??= []).push(id);
  }
  return { usable, total: cards.summaries.length, lacking };
}
