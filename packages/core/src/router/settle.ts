import { verifiedOutput, verifyProbe } from "../cards/index.ts";
import type { CardScope, PreparedCard, VerifyProbe } from "../cards/index.ts";
import { errorCodeOf, isRecord } from "../envelope/index.ts";
import type { CallError, ResponseEnvelope } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { normalise } from "../schema/index.ts";
import type { Settled } from "./attempt-routes.ts";
import { now } from "./moment.ts";
import type { Moment } from "./moment.ts";
import { hasMore, knownOf, listOf, sortOut } from "./sort-out.ts";
import type { Known, Look } from "./sort-out.ts";

/** Looks whether a write of unknown outcome took place. */
export type Settler = (error: CallError, began: Moment) => Promise<Settled>;

/** How to find out who calls. */
export interface ViewerProbe {
  readonly capability: string;
  readonly field: string;
}

const UNKNOWN: Settled = { outcome: "unknown" };

/** Asks for what the card says would show it. Only a read is asked, whatever the card names. */
async function look(probe: VerifyProbe, context: OperationContext): Promise<Look> {
  const asked = now();
  const response = await context.look(probe.capability, probe.params);
  return { response, asked, answered: now() };
}

/** What was there before the write; undefined when not all of it is known. */
async function knownBefore(
  probe: VerifyProbe,
  context: OperationContext,
): Promise<Known | undefined> {
  if (probe.before === undefined) return undefined;
  try {
    const { response } = await look(probe, context);
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
  context: OperationContext,
  viewer: ViewerProbe | undefined,
): Promise<VerifyProbe> {
  if (probe.missing.length === 0 || viewer === undefined) return probe;
  const { data } = await context.look(viewer.capability, {});
  const login = isRecord(data) ? data[viewer.field] : undefined;
  return probeOf(card, { ...scope, env: { ...scope.env, viewer: login } }) ?? probe;
}

function foundAnswer(
  card: PreparedCard,
  scope: CardScope,
  found: unknown,
  { meta }: ResponseEnvelope,
): Settled {
  const warning = "The answer to the write was lost; it was found by looking";
  const warnings = [...(meta.warnings ?? []), warning];
  // What was found is an item of another capability's list: only what this one promises is told.
  const { value: data } = normalise(card.outputSchema, verifiedOutput(card, scope, found), {
    strip: "all",
  });
  const response = { data, meta: { ...meta, warnings } };
  return { outcome: "applied", answer: { response, upstreamRequests: 1 } };
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
  const known = await knownBefore(first, context);
  return async (error, began) => {
    try {
      const probe = await withViewer(first, card, scope, context, viewer);
      const seen = await look(probe, context);
      const { mine, isUnclear } = sortOut(probe, seen, began, known);
      if (mine !== undefined) {
        // A match in which something could not be compared proves nothing.
        return probe.missing.length > 0 ? UNKNOWN : foundAnswer(card, scope, mine, seen.response);
      }
      return !isUnclear && isConclusive(probe, seen, error) ? { outcome: "not_applied" } : UNKNOWN;
    } catch {
      return UNKNOWN;
    }
  };
}
