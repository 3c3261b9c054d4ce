// The lost writes of the matrix: every write capability, by each route, lost in every way.
import { cards } from "../../../packages/github/src/pack/cards.ts";
import { cases } from "../../../packages/github/src/pack/fixtures/cases/index.ts";
import type { ParityCase } from "../../../packages/github/src/pack/fixtures/cases/index.ts";
import { seeded } from "../plan.ts";
import type { CommandName } from "./commands.ts";
import type { DoorName } from "./doors.ts";
import { WIRE_FAULT_NAMES, wireFault } from "./wire-faults.ts";
import type { WireFaultName } from "./wire-faults.ts";

export type CardRouteName = "graphql" | "rest" | "cli";

/** Another caller makes the same write in the same second, with the same account or another one. */
export interface Twin {
  readonly account: "same" | "other";
  readonly when: "received" | "answered";
}

export interface Cell {
  readonly each: ParityCase;
  readonly route: CardRouteName;
  readonly fault: WireFaultName;
  /** Whether every attempt fails, or only the first. */
  readonly isForGood: boolean;
  readonly door: DoorName | CommandName;
  readonly twin?: Twin | undefined;
  /** When the writing process is killed; absent if it is not. */
  readonly kill?: "received" | "answered" | undefined;
}

/**
 * A case that changes nothing, such as a branch that stays in a fork, cannot be checked by
 * counting, so it is skipped.
 */
function writes(): ParityCase[] {
  return cases.filter(
    ({ id, applied = {} }) =>
      Object.keys(applied).length > 0 && cards.cardById(id)?.effect !== "read",
  );
}

const WRITES: readonly ParityCase[] = writes();

/** Mutations of capabilities that are not idempotent, so applying them twice does harm. */
const HARMFUL: ReadonlySet<string> = new Set(
  WRITES.filter(({ id, applied }) => {
    const isOneChange = Object.keys(applied ?? {}).length === 1;
    return isOneChange && cards.cardById(id)?.idempotent !== true;
  }).flatMap(({ applied }) => Object.keys(applied ?? {})),
);

/**
 * The changes of a write that must not be applied twice. Idempotent steps of a card are left out,
 * because repeating them is harmless.
 */
export function changesOnce({ id, applied = {} }: ParityCase): string[] {
  const names = Object.keys(applied);
  if (names.length > 1) return names.filter((name) => HARMFUL.has(name));
  return cards.cardById(id)?.idempotent === true ? [] : names;
}

export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!;
}

const TWIN_SHARE = 0.12;

function twinFor(fault: WireFaultName, random: () => number): Twin | undefined {
  if (random() >= TWIN_SHARE) return undefined;
  const account = pick(["same", "other"] as const, random);
  const when =
    wireFault(fault).passes === "all"
      ? pick(["received", "answered"] as const, random)
      : "received";
  return { account, when };
}

export interface CellChoice {
  readonly routes: readonly CardRouteName[];
  readonly doors: readonly DoorName[];
  readonly seed: number;
  readonly faults?: readonly WireFaultName[];
}

/**
 * One cell for each write, route and fault. The seed decides the order of the cells, the interface
 * of each, and whether another caller makes the same write.
 */
export function githubCells({
  routes,
  doors,
  seed,
  faults = WIRE_FAULT_NAMES,
}: CellChoice): Cell[] {
  const random = seeded(seed);
  const cells = WRITES.flatMap((each) =>
    routes
      .filter((route) => (each.routes ?? cards.cardById(each.id)!.order).includes(route))
      .flatMap((route) =>
        faults.flatMap((fault) =>
          [true, false].map((isForGood): Cell => {
            const door = pick(doors, random);
            return { each, route, fault, isForGood, door, twin: twinFor(fault, random) };
          }),
        ),
      ),
  );
  return cells
    .map((cell) => ({ cell, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ cell }) => cell);
}

const SAMPLE_FAULTS = [
  "response lost",
  "reset before",
  "upstream killed after",
  "502 after",
  "response body cut",
  "lost, then access is lost",
  "answered by a gateway after",
  "not sent, then a gateway answers",
] as const;
const SAMPLE_DOORS = ["execute", "chain", "http", "mcp"] as const;

/** Two fixed cells for every write capability. Each uses another fault than the previous one. */
export function sampleCells(): Cell[] {
  const first = new Map(WRITES.toReversed().map((each) => [each.id, each]));
  return [...first.values()].flatMap((each, index) =>
    [0, 1].map((turn): Cell => {
      const routes = (each.routes ?? cards.cardById(each.id)!.order).filter(
        (route) => route !== "cli",
      );
      const at = 2 * index + turn;
      return {
        each,
        route: routes[at % routes.length] ?? "cli",
        fault: SAMPLE_FAULTS[at % SAMPLE_FAULTS.length]!,
        isForGood: index % 2 === turn,
        door: SAMPLE_DOORS[(at >> 1) % SAMPLE_DOORS.length]!,
      };
    }),
  );
}

export function describeCell({ each, route, fault, isForGood, door, twin }: Cell): string {
  const other =
    twin === undefined ? "" : `, duplicate of ${twin.account} account when ${twin.when}`;
  const title = each.title === undefined ? "" : ` (${each.title})`;
  return `${each.id}${title} by ${route}, ${fault}${isForGood ? " for good" : ""}, ${door}${other}`;
}
