import { inputRequired } from "@modelcontextprotocol/server";
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import type { ChainResult, ResultEnvelope } from "@waybill/core";
import type { ToolCall } from "./surface.ts";

/** One call of a capability, which may have to be approved. */
export interface ApprovedCall {
  readonly capability_id: string;
  readonly params: unknown;
  /** `approve` is given back to a call that keeps what waits itself. */
  run(approve?: string): Promise<ResultEnvelope>;
  /** It keeps what waits itself, as a program does, and not among the Waybill's approvals. */
  readonly keepsApproval?: true;
  /** What a person is asked, where id and params do not say it. */
  question?(refused: ResultEnvelope): string;
}

/** The name of the one question there is. */
export const QUESTION = "approve";
const MAX_SHOWN = 1_000;

/** What a refused call waits under: an id, or the text that approves it where it keeps that itself. */
function approvalIn(envelope: ResultEnvelope, asked?: ApprovedCall): string | undefined {
  if (envelope.ok || envelope.error.code !== "POLICY") return undefined;
  const name = asked?.keepsApproval === true ? "approve" : "approval";
  const approval = envelope.error.details?.[name];
  return typeof approval === "string" ? approval : undefined;
}

function question({ capability_id, params }: ApprovedCall): string {
  const shown = JSON.stringify(params ?? {});
  const clipped = shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
  return `Allow ${capability_id} with ${clipped}?`;
}

async function ask(
  asked: ApprovedCall,
  refused: ResultEnvelope,
  approval: string,
  call: ToolCall,
): Promise<InputRequiredResult> {
  const allow = { type: "boolean", title: "Allow this call" } as const;
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: asked.question?.(refused) ?? question(asked),
        requestedSchema: { type: "object", properties: { allow }, required: ["allow"] },
      }),
    },
    requestState: await call.seal(approval),
  });
}

/** Where a person can be asked, the agent does not get what would let it say yes instead of them. */
function withoutApproval(envelope: ResultEnvelope, hint?: string): ResultEnvelope {
  if (envelope.ok || envelope.error.code !== "POLICY") return envelope;
  const { approve: _, approval: _id, hint: _hint, ...details } = envelope.error.details ?? {};
  const more = hint === undefined ? details : { ...details, hint };
  return { ...envelope, error: { ...envelope.error, details: more } };
}

function declined(envelope: ResultEnvelope): ResultEnvelope {
  const refused = withoutApproval(envelope);
  if (refused.ok) return refused;
  const message = `${refused.error.message}, and whoever was asked did not give it`;
  return { ...refused, error: { ...refused.error, message } };
}

/** Nobody is asked in the middle of a chain, so a step that needs it is called by itself. */
export function chainWithoutApprovals(result: ChainResult, { canAsk }: ToolCall): ChainResult {
  if (!canAsk) return result;
  const hint = "Call it by itself with execute: a person is asked then";
  return { ...result, results: result.results.map((one) => withoutApproval(one, hint)) };
}

/**
 * Runs a call; where it needs an approval and the client can ask a person, they are asked, and the
 * call is run again if they agreed. Other clients get the refusal, which says how to go on.
 */
export async function runApproved(
  asked: ApprovedCall,
  call: ToolCall,
): Promise<ResultEnvelope | InputRequiredResult> {
  const { state, answer, waybill } = call;
  const isAllowed = answer?.action === "accept" && answer.content["allow"] === true;
  const isKept = asked.keepsApproval === true;
  if (state !== undefined && isAllowed) {
    if (!isKept) await waybill.approvals.answer(state, true);
    return withoutApproval(await asked.run(isKept ? state : undefined));
  }
  const envelope = await asked.run();
  const approval = approvalIn(envelope, asked);
  if (approval === undefined || !call.canAsk) return envelope;
  if (answer === undefined) return ask(asked, envelope, approval, call);
  if (!isKept) await waybill.approvals.answer(approval, false);
  return declined(envelope);
}
