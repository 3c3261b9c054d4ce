import { verifiedOutput, verifyProbe } from "../cards/index.ts";
import type { CardScope, PreparedCard, VerifyProbe } from "../cards/index.ts";
import { errorCodeOf, fail, isRecord } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { loadChecker, normalise } from "../schema/index.ts";
import type { RoutedCall, Settled } from "./attempt-routes.ts";
import { now } from "./moment.ts";
import type { Moment } from "./moment.ts";
import { hasMore, knownOf, listOf, sortOut } from "./sort-out.ts";
import type { Known, Look } from "./sort-out.ts";

/** Looks whether a write of unknown outcome took place. */
export type Settler = NonNullable<RoutedCall["settle"]>;

/** All that settling needs of a context. */
type Looking = Pick<OperationContext, "look" | "deadline">;

/** How to find out who calls. */
export interface ViewerProbe {
  readonly capability: string;
  readonly field: string;
}

/** How long the look before a write may take, and what part of the time that a call has left. */
const BEFORE_MS = 2_000;
const BEFORE_PART = 0.25;

const UNKNOWN: Settled = { outcome: "unknown" };

/** Asks for what the card says would show it. Only a read is asked, whatever the card names. */
async function look(probe: VerifyProbe, context: Looking, deadline?: number): Promise<Look> {
  const asked = now();
  const response = await context.look(probe.capability, probe.params, deadline);
  return { response, asked, answered: now() };
}

/** Looking before must leave most of the time to the write itself. */
function beforeDeadline({ deadline }: Looking): number {
  const left = deadline === undefined ? Infinity : deadline - Date.now();
  return Date.now() + Math.min(BEFORE_MS, left * BEFORE_PART);
}

/** What was there before the write; undefined when not all of it is known. */
async function knownBefore(probe: VerifyProbe, context: Looking): Promise<Known | undefined> {
  if (probe.before === undefined) return undefined;
  try {
    const { response } = await look(probe, context, beforeDeadline(context));
    return hasMore(response) ? undefined : knownOf(response, probe.before);
  } catch {
    // The write goes on without: looking afterwards will prove less.
    return undefined;
  }
}

/** Input that the probe cannot be made of is no reason not to write. */
function probeOf(card: PreparedCard, scope: CardScope): VerifyProbe | undefined {
  if (card.effect === "read") return undefined;
  try {
    return verifyProbe(card, scope);
  } catch {
    return undefined;
  }
}

/** A probe that lacks who calls, with that; asked for only when a write must be looked for. */
async function withViewer(
  probe: VerifyProbe,
  card: PreparedCard,
  scope: CardScope,
  context: Looking,
  viewer: ViewerProbe | undefined,
): Promise<VerifyProbe> {
  if (probe.missing.length === 0 || viewer === undefined) return probe;
  const { data } = await context.look(viewer.capability, {});
  const login = isRecord(data) ? data[viewer.field] : undefined;
  return probeOf(card, { ...scope, env: { ...scope.env, viewer: login } }) ?? probe;
}

/** What the capability promises, made of what was found; undefined when that does not do. */
async function promised(
  card: PreparedCard,
  found: unknown,
): Promise<{ data: unknown } | undefined> {
  const schema = card.outputSchema;
  const compiled = (await loadChecker(schema)).compile(schema, { interpreted: true });
  // What was found is an item of another capability's list: only what this one promises is told.
  const { value: data } = normalise(schema, found, { strip: "all" });
  return compiled.check(data) ? { data } : undefined;
}

/** It was found, so it was applied, whatever can be told of it. */
function lacking(card: PreparedCard, partial: unknown, cause?: unknown): Settled {
  const message = `${card.id} was applied, but its answer was lost, and what was found by looking lacks some of it`;
  const error = fail("SERVER", message, { outcome: "applied", partial }, { cause });
  return { outcome: "applied", error };
}

async function foundAnswer(
  card: PreparedCard,
  scope: CardScope,
  found: unknown,
  { meta }: ResponseEnvelope,
): Promise<Settled> {
  const warning = "The answer to the write was lost; it was found by looking";
  const warnings = [...(meta.warnings ?? []), warning];
  try {
    const answer = await promised(card, verifiedOutput(card, scope, found));
    if (answer === undefined) return lacking(card, found);
    const response = { ...answer, meta: { ...meta, warnings } };
    return { outcome: "applied", answer: { response, upstreamRequests: 0 } };
  } catch (thrown) {
    return lacking(card, found, thrown);
  }
}

/** Absence proves something only of a whole list, and not of what may be on its way still. */
function isConclusive(probe: VerifyProbe, { response }: Look, error: CallError): boolean {
  const isWhole = listOf(response.data) !== undefined && !hasMore(response);
  return probe.authoritative && isWhole && errorCodeOf(error) !== "TIMEOUT";
}

/**
 * The card's way to find out: a read of ours, matched against what was written. Only what was
 * surely made after the attempt began counts. A probe that fails leaves it unknown.
 */
export async function settlerFor(
  card: PreparedCard,
  scope: CardScope,
  context: OperationContext,
  viewer?: ViewerProbe,
): Promise<Settler | undefined> {
  const first = probeOf(card, scope);
  if (first === undefined) return undefined;
  let reads = 0;
  const counting: Looking = {
    deadline: context.deadline,
    look(...call) {
      reads += 1;
      return context.look(...call);
    },
  };
  const known = await knownBefore(first, counting);
  const settle = async (error: CallError, began: Moment): Promise<Settled> => {
    try {
      const probe = await withViewer(first, card, scope, counting, viewer);
      const seen = await look(probe, counting);
      const { mine, isUnclear } = sortOut(probe, seen, began, known);
      if (mine !== undefined) {
        // A match in which something could not be compared proves nothing.
        return probe.missing.length > 0
          ? UNKNOWN
          : await foundAnswer(card, scope, mine, seen.response);
      }
      return !isUnclear && isConclusive(probe, seen, error) ? { outcome: "not_applied" } : UNKNOWN;
    } catch {
      return UNKNOWN;
    }
  };
  return Object.assign(settle, { reads: () => reads });
}
