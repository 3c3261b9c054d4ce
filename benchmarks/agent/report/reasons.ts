import { SESSION, mean, getPlays } from "../figures/index.ts";
import type { AnyPlayed } from "../figures/index.ts";
import type { Mode, Played } from "../types.ts";
import { count } from "./tables.ts";
import { DOORS, READS, RIVALS, betterForm } from "./targets.ts";
import type { Door } from "./targets.ts";

interface Pair {
  readonly ours: AnyPlayed[];
  readonly theirs: AnyPlayed[];
}

/** The plays of two modes, over the scenarios that both can play. */
function getPair(played: readonly Played[], mode: Mode, rival: Mode): Pair {
  const [own, other] = [getPlays(played, mode), getPlays(played, rival)];
  return {
    ours: [...own.values()].filter(({ scenario }) => other.has(scenario)),
    theirs: [...other.values()].filter(({ scenario }) => own.has(scenario)),
  };
}

function average(plays: readonly AnyPlayed[], of: (play: AnyPlayed) => number): string {
  return count(mean(plays.map(of)));
}

function total({ tokens }: AnyPlayed): number {
  return tokens.total;
}

function startShare({ tokens }: AnyPlayed): number {
  return tokens.definitions / SESSION;
}

function sent({ tokens }: AnyPlayed): number {
  return tokens.sent;
}

/** The parts of our average operation. */
function operationParts(ours: readonly AnyPlayed[]): string {
  const rest = average(ours, (play) => total(play) - startShare(play) - sent(play));
  return `${average(ours, total)} tokens: ${average(ours, startShare)} for its share of the start text, ${average(ours, sent)} that are sent (including lookups), and ${rest} for answers and its share of lookups`;
}

function getMost({ ours, theirs }: Pair): string {
  const [most] = ours.toSorted((a, b) => total(b) - total(a));
  const beside = theirs.find(({ scenario }) => scenario === most?.scenario);
  if (most === undefined || beside === undefined) return "";
  return ` The largest is \`${most.scenario}\` with ${count(total(most))} tokens; theirs takes ${count(total(beside))}.`;
}

/** Why a saving was missed, with figures from the plays. */
function savingReason(played: readonly Played[], mode: Mode, rival: Mode, least: number): string {
  const pair = getPair(played, mode, rival);
  const room = average(pair.theirs, (play) => total(play) * (1 - least));
  const theirs = new Map(pair.theirs.map((play) => [play.scenario, total(play)]));
  const reached = pair.ours.filter(
    (play) => total(play) <= (theirs.get(play.scenario) ?? 0) * (1 - least),
  ).length;
  return `one of their operations takes ${average(pair.theirs, total)} tokens on average (${average(pair.theirs, startShare)} for its share of the start text), so ours may take ${room}. It takes ${operationParts(pair.ours)}. ${reached} of ${pair.ours.length} scenarios reach the target by themselves.${getMost(pair)}`;
}

/** Changes that were tried to save tokens. */
const TRIED =
  "These changes are made already: an index of only the capabilities that tasks use, no allowed values in it, a separate skill for each way to call, one tool for programs, references instead of named inputs, tables instead of JSON, and calls and programs that return only the requested values. The rest is the index, which saves tokens from the second operation on, and the values of three long lists, which are most of the floor.";

/** The parts of an operation that needs too many tokens. */
function sizeReason(played: readonly Played[], mode: Mode): string {
  const plays = [...getPlays(played, mode).values()].filter(({ kind }) => kind !== "code");
  const [most] = plays.toSorted((a, b) => total(b) - total(a));
  const largest =
    most === undefined ? "" : ` The largest is \`${most.scenario}\` with ${count(total(most))}.`;
  return `an operation takes ${operationParts(plays)}.${largest} ${TRIED}`;
}

/** The reads that need more calls than allowed. */
function callsReason(played: readonly Played[], mode: Mode, most: number): string {
  const over = [...getPlays(played, mode).values()]
    .filter(({ kind, calls }) => READS.includes(kind) && calls > most)
    .map(({ scenario, calls }) => `\`${scenario}\` (${calls})`);
  return `these take more than ${most} ${most === 1 ? "call" : "calls"}: ${over.join(", ")}.`;
}

function doorReasons(played: readonly Played[], door: Door, mode: Mode): [string, string][] {
  return [
    ...RIVALS.map(([rival, , least]): [string, string] => [
      `tokens.${door}.${rival}`,
      savingReason(played, mode, rival, least),
    ]),
    ...["size", "written", "alone", "floor.sum", "floor.median"].map((name): [string, string] => [
      `${name}.${door}`,
      sizeReason(played, mode),
    ]),
    [`calls.${door}.median`, callsReason(played, mode, 1)],
    [`calls.${door}.p95`, callsReason(played, mode, 2)],
    [`pass.${door}`, "they are listed below, under “Failed plays”."],
  ];
}

/** Why targets are missed, by target id. Every number comes from these plays. */
export function reasonsFor(played: readonly Played[]): Readonly<Record<string, string>> {
  const doors = Object.keys(DOORS) as Door[];
  return Object.fromEntries(
    doors.flatMap((door) => {
      const mode = betterForm(played, door);
      return mode === undefined ? [] : doorReasons(played, door, mode);
    }),
  );
}
