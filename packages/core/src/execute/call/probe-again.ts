import { isRepeatable } from "../../operation/index.ts";
import { toEnvelope } from "../../registry/index.ts";
import type { ProbedWrite } from "../../router/index.ts";
import { answer } from "../answer/answer.ts";
import type { Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { runFor } from "./run-for.ts";
import { NOTHING_TRIED, routedRequest } from "./run-routes.ts";

/** Checks whether the write of an earlier call with this key was applied. */
export async function probeAgain(
  settings: Settings,
  call: Call,
  trail: string,
): Promise<ProbedWrite> {
  const run = await runFor(call);
  // Each step has its own key. Applied steps return their recorded result, and the others are
  // checked or sent.
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
