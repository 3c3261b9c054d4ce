import { verifiedOutput } from "../cards/index.ts";
import type { CardScope, PreparedCard, VerifyKind, VerifyProbe } from "../cards/index.ts";
import { fail } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { loadChecker, normalise } from "../schema/index.ts";
import type { Settled } from "./attempt-routes.ts";

const LOST = "The response to this write was lost.";
const WARNINGS: Readonly<Record<VerifyKind, string>> = {
  created: `${LOST} A read found the new object. Another caller may have made it.`,
  state: `${LOST} A read shows the requested state. Another caller may have made the change.`,
  gone: `${LOST} A read shows that the object is gone. Another caller may have removed it.`,
};

const SAME_ACCOUNT = `${LOST} A read found the new object. Another caller of this account may have made it.`;

/** Comparing the author excludes writes of other accounts, but not other writes of this account. */
function warningFor({ kind, needsViewer }: VerifyProbe): string {
  return kind === "created" && needsViewer ? SAME_ACCOUNT : WARNINGS[kind];
}

/**
 * Builds the capability's output from the object that was found. Undefined if it does not match
 * the schema.
 */
async function promised(
  card: PreparedCard,
  found: unknown,
): Promise<{ data: unknown } | undefined> {
  const schema = card.outputSchema;
  const compiled = (await loadChecker(schema)).compile(schema, { interpreted: true });
  // The object comes from another capability, so only the fields of this output schema are kept.
  const { value: data } = normalise(schema, found, { strip: "all" });
  return compiled.check(data) ? { data } : undefined;
}

const READ_AGAIN =
  "Do not repeat the write. details.partial has what was read; a read shows the rest";

/**
 * A new object shows that the write was applied, even if its output cannot be built. But an
 * object without its usual fields shows no state, because a gateway may have answered instead of
 * the upstream.
 */
function lacking(
  card: PreparedCard,
  { kind }: VerifyProbe,
  partial: unknown,
  cause?: unknown,
): Settled {
  if (kind === "state")
    return { outcome: "unknown", seen: "The probe got an answer that lacks required fields" };
  const message = `${card.id} was applied, but its response was lost, and a read shows only a part of it`;
  const error = fail(
    "SERVER",
    message,
    { outcome: "applied", partial, hint: READ_AGAIN },
    { cause },
  );
  return { outcome: "applied", error };
}

/** Builds the answer of a write that a read has found. */
export async function foundAnswer(
  card: PreparedCard,
  scope: CardScope,
  probe: VerifyProbe,
  found: unknown,
  { meta }: ResponseEnvelope,
): Promise<Settled> {
  const warnings = [...(meta.warnings ?? []), warningFor(probe)];
  try {
    const answer = await promised(card, verifiedOutput(card, scope, found));
    if (answer === undefined) return lacking(card, probe, found);
    const response = { ...answer, meta: { ...meta, warnings } };
    return { outcome: "applied", answer: { response, upstreamRequests: 0 } };
  } catch (thrown) {
    return lacking(card, probe, found, thrown);
  }
}
