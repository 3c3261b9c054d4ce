import { inputRequired } from "@modelcontextprotocol/server";
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import type { ChainResult, ResultEnvelope } from "@waybill/core";
import type { ToolCall } from "./surface.ts";

/** One call of a capability that may need an approval. */
export interface ApprovedCall {
  readonly capability_id: string;
  readonly params: unknown;
  /** Runs the call. `more` has the approval, or names the run of a program to continue. */
  run(more?: ContinueOptions): Promise<ResultEnvelope>;
}

/** The options with which a program continues after a person agreed. */
export interface ContinueOptions {
  /** The token that approves the program's list of writes. */
  readonly approve?: string;
  /** The key of the run. Used if a person's answer is stored and there is no token. */
  readonly idempotency_key?: string;
}

/** The call, or the writes of a program, that a person is asked to approve. */
interface Subject {
  /** The approval to answer. Absent if a token is used. */
  readonly id?: string;
  readonly more?: ContinueOptions;
}

/** The name of the question in a request for an approval, which asks nothing else. */
export const QUESTION = "approve";
const MAX_SHOWN = 1_000;

/** The approval id of a call that was refused. Undefined for any other answer. */
function waitingId(envelope: ResultEnvelope): string | undefined {
  if (envelope.ok || envelope.error.code !== "POLICY") return undefined;
  const approval = envelope.error.details?.["approval"];
  return typeof approval === "string" ? approval : undefined;
}

/** Returns what a person must approve. Undefined if no approval is needed. */
function askedFor(envelope: ResultEnvelope): Subject | undefined {
  const id = waitingId(envelope);
  const { waiting, approve, key } = envelope.error?.details ?? {};
  if (id === undefined || waiting === undefined) return id === undefined ? undefined : { id };
  if (typeof approve === "string") return { more: { approve } };
  return typeof key === "string" ? { id, more: { idempotency_key: key } } : undefined;
}

/** Reads the subject from a state that this server has signed. */
function readSubject(state: string): Subject {
  return JSON.parse(state) as Subject;
}

function clipped(value: unknown): string {
  const shown = JSON.stringify(value ?? {});
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}

/**
 * The question for the person. For a program, it says how many calls of each kind, with a few
 * examples.
 */
function question({ capability_id, params }: ApprovedCall, { error }: ResultEnvelope): string {
  const waiting = error?.details?.["waiting"];
  if (waiting === undefined) return `Allow ${capability_id} with ${clipped(params)}?`;
  return `Allow what this program asks for? ${error?.message ?? ""}\n${clipped(waiting)}`;
}

async function askPerson(
  asked: ApprovedCall,
  refused: ResultEnvelope,
  subject: Subject,
  call: ToolCall,
): Promise<InputRequiredResult> {
  const allow = { type: "boolean", title: "Allow this call" } as const;
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: question(asked, refused),
        requestedSchema: { type: "object", properties: { allow }, required: ["allow"] },
      }),
    },
    requestState: await call.seal(JSON.stringify(subject)),
  });
}

/**
 * Removes the approval token if a person can be asked, so that the agent cannot approve by
 * itself.
 */
function withoutApproval(envelope: ResultEnvelope, hint?: string): ResultEnvelope {
  if (envelope.ok || envelope.error.code !== "POLICY") return envelope;
  const { approve: _, approval: _id, hint: _hint, ...details } = envelope.error.details ?? {};
  const more = hint === undefined ? details : { ...details, hint };
  return { ...envelope, error: { ...envelope.error, details: more } };
}

function declined(envelope: ResultEnvelope): ResultEnvelope {
  const refused = withoutApproval(envelope);
  if (refused.ok) return refused;
  const message = `${refused.error.message.replace(/\.$/u, "")}. The user did not give the approval.`;
  return { ...refused, error: { ...refused.error, message } };
}

/** Within a chain nobody is asked, so a step that needs an approval must be called alone. */
export function chainWithoutApprovals(result: ChainResult, { canAsk }: ToolCall): ChainResult {
  if (!canAsk) return result;
  const hint = "Call it alone with execute. A person is then asked";
  return { ...result, results: result.results.map((one) => withoutApproval(one, hint)) };
}

/**
 * Ends a request that was not allowed. If the person only closed the question, it is not denied.
 */
async function takeBack({ answer, waybill }: ToolCall, id: string): Promise<void> {
  if (answer?.action === "cancel") await waybill.approvals.withdraw(id);
  else await waybill.approvals.answer(id, false);
}

/**
 * Runs a call. If it needs an approval and the client can ask a person, the person is asked, and
 * the call is run again after a yes. Other clients get the refusal, which says how to continue.
 */
export async function runApproved(
  asked: ApprovedCall,
  call: ToolCall,
): Promise<ResultEnvelope | InputRequiredResult> {
  const { state, answer, waybill } = call;
  const isAllowed = answer?.action === "accept" && answer.content["allow"] === true;
  if (state !== undefined && isAllowed) {
    const { id, more } = readSubject(state);
    if (id !== undefined) await waybill.approvals.answer(id, true);
    return withoutApproval(await asked.run(more));
  }
  const envelope = await asked.run();
  const subject = askedFor(envelope);
  if (subject === undefined || !call.canAsk) return envelope;
  if (answer === undefined) return askPerson(asked, envelope, subject, call);
  const id = waitingId(envelope);
  if (id !== undefined) await takeBack(call, id);
  return declined(envelope);
}
