import { fail, isRecord } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import { matchesAny } from "./id-pattern.ts";

/** The rules for every caller. The most restrictive rule wins. */
export interface Policy {
  /** Allows only operations that read (default: false). */
  readonly read_only?: boolean;
  /** Allows only ids that match one of these patterns, such as `issue.*` (default: every id). */
  readonly allow?: readonly string[];
  /** Forbids ids that match one of these patterns (default: none). */
  readonly deny?: readonly string[];
  /**
   * Raw operations that stay enabled although `allow`, `deny` or `read_only` is set. All other
   * raw operations of packs are then disabled, because each could bypass a rule (default: none).
   */
  readonly raw?: readonly string[];
  /** The calls that need an approval (default: "destructive"). */
  readonly confirm?: "none" | "destructive" | "writes";
  /**
   * Who may approve (default: "agent"). With "person" the caller learns that a call waits, but
   * never gets the approval token.
   */
  readonly approvals?: "agent" | "person";
}

/** The id that a caller used, and the input under the names of the schema. */
export interface NamedCall {
  readonly asked: string;
  readonly input: unknown;
}

type Rule = (policy: Policy, spec: OperationSpec, call?: NamedCall) => string | undefined;

function isRestricted({ allow, deny = [], read_only }: Policy): boolean {
  return allow !== undefined || deny.length > 0 || read_only === true;
}

/** The id in this Waybill, and the id in its source. */
function getIds({ id, declaredId }: OperationSpec): readonly string[] {
  return declaredId === undefined ? [id] : [id, declaredId];
}

const mustBeTrusted: Rule = (_policy, { needsTrust }) => needsTrust;

const mustNotBeRaw: Rule = (policy, { id, raw }) => {
  if (raw !== true || !isRestricted(policy) || matchesAny(policy.raw, id)) return undefined;
  return `${id} is a raw operation. Raw operations are disabled while the policy has rules; to allow it, add it to policy.raw`;
};

/**
 * A source of a project may claim that a request only reads. With `read_only`, that claim is not
 * accepted.
 */
const mustRead: Rule = ({ read_only }, { id, effect, safe, origin }) => {
  if (read_only !== true) return undefined;
  if (effect !== "read") return `${id} is a write, but this Waybill is read-only`;
  if (safe !== true || origin !== "project") return undefined;
  return `${id} may write, but this Waybill is read-only; the project's own claim that it only reads is not trusted`;
};

function isDenied(id: string): string {
  return `${id} is denied by the policy; to allow it, remove it from policy.deny`;
}

const mustNotBeDenied: Rule = ({ deny }, spec) =>
  getIds(spec).some((id) => matchesAny(deny, id)) ? isDenied(spec.id) : undefined;

function smallText(value: unknown): string {
  return String(value).toLowerCase();
}

/** Whether a value is given. Every item of a list has to be given; others may be beside them. */
function hasValue(given: unknown, value: unknown): boolean {
  if (!Array.isArray(value)) return smallText(given) === smallText(value);
  const items = new Set((Array.isArray(given) ? given : [given]).map(smallText));
  return value.every((each) => items.has(smallText(each)));
}

/** Whether an input has every value that another id stands for, such as `event: "APPROVE"`. */
function hasValues(input: unknown, values: object = {}): boolean {
  const given = isRecord(input) ? input : {};
  return Object.entries(values).every(([name, value]) => hasValue(given[name], value));
}

/**
 * Another id of an operation, such as `pr.approve`, may be denied too. Then the call is refused
 * under any of its ids. A pattern with `*` counts only for the id that the caller used, because an
 * operation may have other ids in many groups.
 */
const mustNotBeDeniedByOtherId: Rule = ({ deny = [] }, spec, call) => {
  if (call === undefined || deny.length === 0) return undefined;
  const { asked, input } = call;
  if (matchesAny(deny, asked)) return isDenied(asked);
  // Reads `idInputs` last, because reading it may load the source, which a list must not do.
  const other = spec.alsoCalled?.find(
    (id) => deny.includes(id) && hasValues(input, spec.idInputs?.[id]),
  );
  return other === undefined ? undefined : isDenied(other);
};

/** Skips raw operations, because `policy.raw` lists the allowed ones. */
const mustBeAllowed: Rule = ({ allow }, { id, raw }) =>
  allow === undefined || raw === true || matchesAny(allow, id)
    ? undefined
    : `${id} is not allowed by the policy; to allow it, add it to policy.allow`;

const RULES: readonly Rule[] = [
  mustBeTrusted,
  mustNotBeRaw,
  mustRead,
  mustNotBeDenied,
  mustNotBeDeniedByOtherId,
  mustBeAllowed,
];

function brokenRule(policy: Policy, spec: OperationSpec, call?: NamedCall): string | undefined {
  for (const rule of RULES) {
    const message = rule(policy, spec, call);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Why an operation may not be called, or undefined. Every kind of call checks this. */
export function policyRefusal(
  policy: Policy,
  spec: OperationSpec,
  call?: NamedCall,
): CallError | undefined {
  const message = brokenRule(policy, spec, call);
  return message === undefined ? undefined : fail("POLICY", message, { outcome: "not_applied" });
}

/**
 * Whether lists show an operation. They show operations that may be called, and operations that
 * only need the user's trust.
 */
export function isListed(policy: Policy, spec: OperationSpec): boolean {
  return spec.needsTrust !== undefined || brokenRule(policy, spec) === undefined;
}

/** Whether an operation may be called without an approval. */
export function mayCall(policy: Policy, spec: OperationSpec): boolean {
  return brokenRule(policy, spec) === undefined && !needsApproval(policy, spec);
}

/** Whether a call must be approved before it is sent. */
export function needsApproval(policy: Policy, spec: OperationSpec): boolean {
  const confirm = policy.confirm ?? "destructive";
  if (confirm === "none" || spec.effect === "read") return false;
  return confirm === "writes" || spec.effect === "destructive";
}
