import { SESSION, compareModes, mean, playsOf } from "../figures/index.ts";
import type { AnyPlayed } from "../figures/index.ts";
import type { Mode, Played } from "../types.ts";
import { count } from "./tables.ts";
import { DOORS, READS, RIVALS, betterForm, severalSteps } from "./targets.ts";
import type { Door } from "./targets.ts";

interface Pair {
  readonly ours: AnyPlayed[];
  readonly theirs: AnyPlayed[];
}

/** The plays of both, of the scenarios that both can play. */
function pairOf(played: readonly Played[], mode: Mode, rival: Mode): Pair {
  const [own, other] = [playsOf(played, mode), playsOf(played, rival)];
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

function start({ tokens }: AnyPlayed): number {
  return tokens.definitions / SESSION;
}

function sent({ tokens }: AnyPlayed): number {
  return tokens.sent;
}

/** The parts of our average operation. */
function partsOf(ours: readonly AnyPlayed[]): string {
  const rest = average(ours, (play) => total(play) - start(play) - sent(play));
  return `${average(ours, total)} of ours: ${average(ours, start)} are the share of the start, ${average(ours, sent)} are sent (to look up as well), ${rest} are answers and the share of what is looked up`;
}

function mostOf({ ours, theirs }: Pair): string {
  const [most] = ours.toSorted((a, b) => total(b) - total(a));
  const beside = theirs.find(({ scenario }) => scenario === most?.scenario);
  if (most === undefined || beside === undefined) return "";
  return ` The largest is \`${most.scenario}\`, ${count(total(most))} beside ${count(total(beside))}.`;
}

/** How a saving was missed, in the figures of the plays themselves. */
function savingReason(played: readonly Played[], mode: Mode, rival: Mode, least: number): string {
  const pair = pairOf(played, mode, rival);
  const room = average(pair.theirs, (play) => total(play) * (1 - least));
  const theirs = new Map(pair.theirs.map((play) => [play.scenario, total(play)]));
  const reached = pair.ours.filter(
    (play) => total(play) <= (theirs.get(play.scenario) ?? 0) * (1 - least),
  ).length;
  return `one operation of theirs is ${average(pair.theirs, total)} tokens on average (${average(pair.theirs, start)} the share of its start), which leaves room for ${room}, beside the ${partsOf(pair.ours)}. ${reached} of ${pair.ours.length} scenarios reach it by themselves.${mostOf(pair)}`;
}

function expertReason(played: readonly Played[], mode: Mode): string {
  const { ours, theirs } = pairOf(played.filter(severalSteps), mode, "gh-known");
  const behind = compareModes(played, mode, "gh-known", { where: severalSteps })?.behind.length;
  const figures = [ours, theirs].map((plays) => mean(plays.map(({ calls }) => calls)).toFixed(1));
  return `an expert's \`gh\` prints an address or nothing, and none of its help is counted: ${average(theirs, total)} tokens on average beside the ${partsOf(ours)}. Ours takes more in ${behind ?? 0} of ${ours.length}. A chain carries the names of its inputs and an answer for each step, in ${figures[0]} calls beside ${figures[1]}.`;
}

/** Which reads take more calls than most may. */
function callsReason(played: readonly Played[], mode: Mode, most: number): string {
  const over = [...playsOf(played, mode).values()]
    .filter(({ kind, calls }) => READS.includes(kind) && calls > most)
    .map(({ scenario, calls }) => `\`${scenario}\` (${calls})`);
  return `more than ${most} ${most === 1 ? "is" : "are"} taken by ${over.join(", ")}.`;
}

function doorReasons(played: readonly Played[], door: Door, mode: Mode): [string, string][] {
  return [
    ...RIVALS.map(([rival, , least]): [string, string] => [
      `tokens.${door}.${rival}`,
      savingReason(played, mode, rival, least),
    ]),
    [`steps.${door}.gh-known`, expertReason(played, mode)],
    [`calls.${door}.median`, callsReason(played, mode, 1)],
    [`calls.${door}.p95`, callsReason(played, mode, 2)],
    [`pass.${door}`, "they are listed below, under “Did not come right”."],
  ];
}

/** Why targets are missed, by their ids; every number in it is one of these plays. */
export function reasonsFor(played: readonly Played[]): Readonly<Record<string, string>> {
  const doors = Object.keys(DOORS) as Door[];
  return Object.fromEntries(
    doors.flatMap((door) => {
      const mode = betterForm(played, door);
      return mode === undefined ? [] : doorReasons(played, door, mode);
    }),
  );
}
