import { isRepeatable } from "../../operation/index.ts";
import { toEnvelope } from "../../registry/index.ts";
import type { ProbedWrite } from "../../router/index.ts";
import { answer } from "../answer/answer.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { runFor } from "./run-for.ts";
import { NOTHING_TRIED, routedRequest } from "./run-routes.ts";

/** Looks whether the write of an earlier call under this key took place. */
export async function probeAgain(
  settings: Settings,
  call: Call,
  trail: string,
): Promise<ProbedWrite> {
  const run = await runFor(call);
  // Steps have keys of their own: those that were applied answer, the others look or are sent.
  if (run.kind === "steps") return "send_again";
  if (run.kind !== "routed") return { seen: undefined };
  const settler = await run.settler(routedRequest(call), call, trail);
  if (settler === undefined) return isRepeatable(call.spec!) ? "send_again" : { seen: undefined };
  call.start();
  call.dispatch();
  const settled = await settler.settle();
  call.routed = { ...NOTHING_TRIED, upstreamRequests: settler.reads };
  if (settled.outcome === "not_applied" || settled.outcome === "send_again") return settled.outcome;
  if (settled.outcome === "unknown") return { seen: settled.seen };
  if (settled.answer === undefined) call.fail(settled.error);
  else call.response = toEnvelope(call.spec!, call.schemas!, settled.answer.response);
  return answer(settings, call);
}
