// The runs of the matrix: every cell, in rounds with different timing of the fault.
import { KINDS, ROUTINGS, isByGh } from "./cards.ts";
import type { Kind, Routing } from "./cards.ts";
import { FAULTS, POINTS, faultNamed, findMeaning } from "./faults.ts";
import type { Carrier, Face, Fault } from "./faults.ts";

/** How a call is made: alone, as steps of a chain, or as steps whose writes share a request. */
const SHAPES = ["single", "chain", "merged"] as const;
type Shape = (typeof SHAPES)[number];

export interface Cell {
  readonly point: string;
  readonly kind: Kind;
  readonly routes: Routing;
  readonly shape: Shape;
  /** The faults that are possible at this point. */
  readonly choice: readonly Fault[];
}

/**
 * A cell and the timing of its fault: permanent in round 0, once in round 1, mixed with others
 * later.
 */
export interface RoundCell {
  readonly cell: Cell;
  readonly round: number;
}

/** The faults of a run, by the kind of request that they are injected into. */
export interface PlannedFaults {
  readonly fault: Fault;
  /** The faults of the requests in order; later requests succeed. */
  readonly faults: readonly Fault[];
  /** The faults of the reads that settle a write, before or after it. */
  readonly probeFaults: readonly Fault[];
  /** The faults of the lookups. */
  readonly lookupFaults: readonly Fault[];
}

/**
 * An object that looks like the written one and existed before: for long, since just now, or since
 * just now by someone else.
 */
type Decoy = "none" | "old" | "twin" | "stranger";

export interface RunPlan extends Cell, PlannedFaults {
  readonly decoy: Decoy;
  /** How long before the call the duplicate object was created. */
  readonly twinAgeMs: number;
  /** The read returns only the first page. */
  readonly isPaged: boolean;
  /** The looked-up object does not exist, which is a valid answer. */
  readonly isAbsent: boolean;
  /** The call is made twice at one time, with one key. */
  readonly isPaired: boolean;
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function firstFace(routes: Routing): Face {
  return routes === "cli" || routes === "cli-rest" || routes.startsWith("rest")
    ? "rest"
    : "graphql";
}

function getCarrier(routes: Routing): Carrier {
  return isByGh(routes) ? "gh" : "http";
}

/** Operations with a probe, and those of them for which "not found" proves "not applied". */
export const LOOKING: readonly Kind[] = ["verified", "authoritative", "watched", "signed"];
export const PROVING: readonly Kind[] = ["authoritative", "watched", "signed"];
/** Operations that make a lookup before they are sent. */
const ASKING: readonly Kind[] = ["looked-up", "listed", "optional"];

/** Whether only the caller's own deadline ends the call. */
export function isBoundByDeadline({ faults, lookupFaults }: RunPlan): boolean {
  return [...faults, ...lookupFaults].some(({ act }) => "until" in act && act.until === "deadline");
}

/**
 * A late write makes "not found" wrong, and such a card relies on it. A long wait matters only for
 * cards that compare dates.
 */
function suits({ act }: Fault, kind: Kind): boolean {
  if (act.at !== "request") return true;
  if (act.how === "slow") return LOOKING.includes(kind);
  return act.how !== "late" || !PROVING.includes(kind);
}

function canMeet(fault: Fault, routes: Routing): boolean {
  return findMeaning(fault, firstFace(routes), getCarrier(routes)) !== undefined;
}

function getCell(point: string, kind: Kind, routes: Routing, shape: Shape): Cell {
  const choice = FAULTS.filter(
    (fault) => fault.point === point && canMeet(fault, routes) && suits(fault, kind),
  );
  return { point, kind, routes, shape, choice };
}

function exists({ choice, kind, routes, shape }: Cell): boolean {
  const [fault] = choice;
  if (fault === undefined) return false;
  if (kind === "honoured" && (routes === "graphql" || isByGh(routes))) return false;
  // Skipped for `gh`, which uses its own token.
  if (isByGh(routes) && fault.point === "not ready to send") return false;
  if (shape === "single") return true;
  if (fault.act.at === "call") return false;
  if (shape === "chain") return routes === "rest" || routes === "graphql";
  return kind !== "read" && routes.startsWith("graphql");
}

/** The cells for one way of calling. */
export function cells(carrier: Carrier): Cell[] {
  const routings = ROUTINGS.filter((routes) => getCarrier(routes) === carrier);
  return POINTS.flatMap((point) =>
    KINDS.flatMap((kind) =>
      routings.flatMap((routes) => SHAPES.map((shape) => getCell(point, kind, routes, shape))),
    ),
  ).filter(exists);
}

/** Shuffles the list by the seed, so that waiting runs are beside working ones. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

const MANY = 12;
const PROBE_FAULTS = ["500", "refused", "reset", "garbage html, applied"];

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!;
}

function furtherFaults(kind: Kind, random: () => number): Fault[] {
  const usable = FAULTS.filter((fault) => fault.act.at !== "call" && suits(fault, kind));
  return Array.from({ length: Math.floor(random() * 3) }, () => pick(usable, random));
}

/** A refused second attempt does not undo the first one. */
const REFUSED_NEXT = ["404", "409", "422", "root-error"];

/**
 * First the permanent fault, then a single one, perhaps with a refusal after it, then one among
 * several.
 */
function faultsFor(fault: Fault, kind: Kind, round: number, random: () => number): Fault[] {
  if (round === 0) return Array.from({ length: MANY }, () => fault);
  if (round > 1) return [fault, ...furtherFaults(kind, random)];
  return random() < 0.5 ? [fault] : [fault, faultNamed(pick(REFUSED_NEXT, random))!];
}

const DECOYS: readonly Decoy[] = ["none", "old", "twin"];
function decoyFor(kind: Kind, random: () => number): Decoy {
  if (!LOOKING.includes(kind)) return "none";
  return pick(kind === "signed" ? [...DECOYS, "stranger"] : DECOYS, random);
}

const TWIN_AGE_MS = 1_500;

/** A "not found" of the upstream is no fault if it is a valid answer. */
function isNothing({ act }: Fault): boolean {
  return "status" in act && [404, 410, 451].includes(act.status);
}

/** In half of the runs the lookup fails too, permanently or once. */
function lookupFaultsFor({ kind, choice }: Cell, random: () => number): Fault[] {
  if (!ASKING.includes(kind) || random() < 0.5) return [];
  const fault = pick(choice, random);
  if (fault.act.at === "call" || (kind === "optional" && isNothing(fault))) return [];
  return random() < 0.5 ? [fault] : Array.from({ length: MANY }, () => fault);
}

export function planRun({ cell, round }: RoundCell, random: () => number): RunPlan {
  const { kind, shape, choice } = cell;
  const isVaried = round > 1;
  const fault = pick(choice, random);
  const isLookedFor = LOOKING.includes(kind);
  const hasProbeFault = isVaried && isLookedFor && random() < 0.1;
  return {
    ...cell,
    fault,
    faults: faultsFor(fault, kind, round, random),
    probeFaults: hasProbeFault ? [faultNamed(pick(PROBE_FAULTS, random))!] : [],
    lookupFaults: lookupFaultsFor(cell, random),
    decoy: decoyFor(kind, random),
    twinAgeMs: random() * TWIN_AGE_MS,
    isPaged: isLookedFor && random() < 0.15,
    isAbsent: kind === "optional" && random() < 0.5,
    isPaired: isVaried && kind === "keyed" && shape === "single" && random() < 0.25,
  };
}
