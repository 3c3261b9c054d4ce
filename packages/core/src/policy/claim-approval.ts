import { fail } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { ApprovalClaim, Approvals, ApprovalSubject } from "./approvals.ts";
import { needsApproval } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** The data of a call that is needed for its approval. */
export interface ApprovalQuestion {
  readonly spec: OperationSpec;
  readonly params: unknown;
  readonly caller: string | undefined;
  /** The account that the call uses. */
  readonly account?: string | undefined;
  /** The approval token that the caller passed. */
  readonly approve: string | undefined;
  /** The idempotency key of the call. */
  readonly key?: string | undefined;
}

/** The parts that handle approvals. */
export interface ApprovalDesk {
  readonly policy: Policy;
  readonly approvals: Approvals;
  /** The params as a person sees them. */
  readonly show: (params: unknown) => string;
}

/** The claim for a call that needs no approval. */
const NOT_NEEDED: ApprovalClaim = { settle: async () => {} };

const AGENT_HINT = "Ask the user; after a yes, repeat the call or step with approve";

const DENIED_HINT = "Do not repeat it unless a person has asked for it since";

function personHint(id: string): string {
  return `A person must approve it: waybill approvals allow ${id}, or on the page of waybill inspect. Then repeat the same call`;
}

async function approvalError(
  { policy, approvals, show }: ApprovalDesk,
  { spec, approve: given }: ApprovalQuestion,
  subject: ApprovalSubject,
): Promise<CallError> {
  const { id, approve, isDenied } = await approvals.request(subject, show(subject.params));
  const problem = given === undefined ? "needs" : "was called with an invalid approval; it needs";
  const answer = isDenied ? ". A person denied this call" : "";
  const isPersons = policy.approvals === "person";
  const hint = isPersons ? personHint(id) : AGENT_HINT;
  return fail("POLICY", `${spec.id} ${problem} an approval${answer}`, {
    outcome: "not_applied",
    approval: id,
    ...(!isPersons && { approve }),
    hint: isDenied ? `${DENIED_HINT}. ${hint}` : hint,
  });
}

/**
 * Claims the approval of a call that needs one, or throws a refusal that says how to get it. The
 * call settles the claim when it ends.
 */
export async function claimApproval(
  desk: ApprovalDesk,
  question: ApprovalQuestion,
): Promise<ApprovalClaim> {
  const { spec, caller, account, approve, key } = question;
  if (!needsApproval(desk.policy, spec)) return NOT_NEEDED;
  // The person sees the params and approves the call for this account only.
  const params = account === undefined ? question.params : { account, params: question.params };
  const subject = { capability_id: spec.id, params, caller };
  const claim = await desk.approvals.claim(subject, { approve, key });
  if (claim === undefined) throw await approvalError(desk, question, subject);
  return claim;
}
