import { kinds } from "../types.ts";
import type { Kind, Played, Variant } from "../types.ts";

/** A play of a scripted mode, or of a model with tools. */
export type PlayedBy<Mode extends string> = Omit<Played, "mode"> & { readonly mode: Mode };
export type AnyPlayed = PlayedBy<string>;

export interface ScenarioInfo {
  readonly id: string;
  readonly kind: Kind;
  readonly steps: number;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every played scenario, sorted by kind and id. */
export function scenariosIn(played: readonly AnyPlayed[]): ScenarioInfo[] {
  const facts = played.map(({ scenario, kind, steps }) => ({ id: scenario, kind, steps }));
  const unique = new Map(facts.map((fact) => [fact.id, fact]));
  return [...unique.values()].toSorted(
    (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || byText(a.id, b.id),
  );
}

/** The plays of one mode in one variant, by scenario. */
export function getPlays(
  played: readonly AnyPlayed[],
  mode: string,
  variant: Variant = "plain",
): Map<string, AnyPlayed> {
  const chosen = played.filter((play) => play.mode === mode && play.variant === variant);
  return new Map(chosen.map((play) => [play.scenario, play]));
}

/** The modes with plays, in the given order. */
export function modesIn<Mode extends string>(
  played: readonly AnyPlayed[],
  order: readonly Mode[],
): Mode[] {
  const present = new Set(played.map(({ mode }) => mode));
  return order.filter((mode) => present.has(mode));
}
