import type { Change } from "./change.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { CardContract, Contracts } from "./contracts.ts";

/** The changes of one card or envelope. */
export interface Drifted {
  readonly name: string;
  readonly changes: readonly Change[];
  /** The versions before and after. For an envelope, those of the packages. */
  readonly versions: readonly [before: string, after: string];
  /** Whether a breaking change comes without a version number that announces it. */
  readonly isSilent: boolean;
}

export interface Drift {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly Drifted[];
}

function isRaised(before: string, after: string): boolean {
  const [old = [], now = []] = [before, after].map((version) => version.split(".").map(Number));
  // Before 1.0.0 the second number marks a breaking version.
  const places = old[0] === 0 && now[0] === 0 ? 2 : 1;
  return now.slice(0, places).some((part, place) => part > (old[place] ?? 0));
}

function drifted(name: string, versions: [string, string], changes: Change[]): Drifted[] {
  if (changes.length === 0) return [];
  const isBreaking = changes.some((change) => change.isBreaking);
  return [{ name, changes, versions, isSilent: isBreaking && !isRaised(...versions) }];
}

/**
 * A changed effect breaks callers: a read that now writes, or a call that may no longer be
 * repeated.
 */
function compareEffects(before: CardContract, after: CardContract): Change[] {
  const changes: Change[] = [];
  const report = (what: string, isBreaking: boolean): void => {
    changes.push({ side: "input", path: "", what, isBreaking });
  };
  if (before.effect !== after.effect) report(`effect ${before.effect} → ${after.effect}`, true);
  if (before.idempotent && !after.idempotent) report("no longer idempotent", true);
  if (!before.idempotent && after.idempotent) report("now idempotent", false);
  return changes;
}

function compareCard(before: CardContract, after: CardContract): Drifted[] {
  return drifted(
    after.id,
    [before.version, after.version],
    [
      ...compareEffects(before, after),
      ...compareSchemas("input", before.inputSchema, after.inputSchema),
      ...compareSchemas("output", before.outputSchema, after.outputSchema),
    ],
  );
}

function allNames(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

export function compareCards({ cards: before }: Contracts, { cards: after }: Contracts): Drift {
  const changed = [...after].flatMap(([id, card]) => {
    const old = before.get(id);
    return old === undefined ? [] : compareCard(old, card);
  });
  return { ...allNames(before, after), changed };
}

/** People write cards, so their schema is an input; the schemas of answers are outputs. */
export function compareEnvelopes(before: Contracts, after: Contracts): Drift {
  const versions: [string, string] = [before.version, after.version];
  const changed = [...after.envelopes].flatMap(([name, schema]) => {
    const old = before.envelopes.get(name);
    const side = name === "Card" ? "input" : "output";
    return old === undefined ? [] : drifted(name, versions, compareSchemas(side, old, schema));
  });
  return { ...allNames(before.envelopes, after.envelopes), changed };
}
