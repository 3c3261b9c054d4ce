import { errorFromUnknown, fail } from "@waybill/core";
import { toResultError } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { CallError, OperationSpec, ResultError } from "@waybill/core";
import type { GuestCall } from "../sandbox/index.ts";
import { inputFrom, listMember } from "../surface/index.ts";
import type { Catalogue, CallForm } from "./catalogue.ts";
import { pageProblem, withoutPage } from "./check-call.ts";

type Input = Readonly<Record<string, unknown>>;

/** A capability call that is ready to be made. */
export interface PreparedCall {
  readonly kind: "call";
  readonly n: number;
  readonly spec: OperationSpec;
  readonly form: CallForm | "list";
  readonly input: Input;
  /** The cursor and limit that were passed to `.page`. */
  readonly page: Input | undefined;
  /** The name in the program, if it is not the capability's own id. */
  readonly alias: string | undefined;
}

/** A question about capabilities, such as `waybill.search`. */
export interface Question {
  readonly kind: "search" | "signature";
  readonly n: number;
  readonly words: string;
}

interface RefusedCall {
  readonly kind: "refused";
  readonly n: number;
  readonly id: string;
  readonly error: ResultError;
}

export type AnyCall = PreparedCall | Question | RefusedCall;

/** Nothing was sent, so the outcome in the error is never unknown. */
export function toError(thrown: unknown): ResultError {
  const error = errorFromUnknown(thrown);
  return toResultError(error, { requestId: "", isWrite: false, isRepeatable: true });
}

/** Reads `waybill.call(id, …)` as a call of the id. */
function unwrapped({ name, args }: GuestCall): { name: string; args: readonly unknown[] } {
  if (name !== "waybill.call") return { name, args };
  const [id, ...others] = args;
  return { name: typeof id === "string" ? id : "", args: others };
}

/** The input of a call; undefined if its arguments cannot be read. */
export function givenInput(call: GuestCall, catalogue: Catalogue): unknown {
  const { name, args } = unwrapped(call);
  const target = catalogue.find(name);
  try {
    return target === undefined ? args : { ...target.implied, ...inputFrom(target.spec, args) };
  } catch {
    return args;
  }
}

/** The names that must be loaded before these calls can be made. */
export function calledNames(calls: readonly GuestCall[]): string[] {
  return calls.map((call) => unwrapped(call).name).filter((name) => !name.startsWith("waybill."));
}

const MAX_NAME = 100;
const FIND = 'Find one with waybill.search("words").';

function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** The next step after an unknown capability. */
export function suggestCapability(near: readonly string[]): string {
  return near.length === 0 ? FIND : `Did you mean ${near.join(", ")}?`;
}

export async function capabilityNotFound(name: string, catalogue: Catalogue): Promise<CallError> {
  const near = await catalogue.nearest(name);
  return fail(
    "NOT_FOUND",
    `There is no capability ${shortName(name)}. ${suggestCapability(near)}`,
    {
      outcome: "not_applied",
      did_you_mean: near,
    },
  );
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function readQuestion({ n, name, args: [words] }: GuestCall): Question {
  const kind = name === "waybill.search" ? "search" : "signature";
  // Models also write `waybill.search({ query: "…" })`.
  const given = isRecord(words) ? Object.values(words).find(isString) : words;
  return { kind, n, words: isString(given) ? given : "" };
}

/**
 * The error for an id that is not in a saved program's list. A person trusts the program because of
 * that list.
 */
function notListed(id: string, listed: readonly string[]): CallError {
  const message = `${id} is not among the ids that this saved program calls: ${listed.join(", ")}`;
  return fail("POLICY", message, {
    outcome: "not_applied",
    hint: "Write the id out in the program, or add it to the calls of its card",
  });
}

/** Converts a call of the program to a capability call, or explains why it cannot be made. */
export async function prepareCall(
  call: GuestCall,
  catalogue: Catalogue,
  listed: readonly string[] | undefined,
): Promise<AnyCall> {
  const { n } = call;
  if (call.name === "waybill.search" || call.name === "waybill.signature")
    return readQuestion(call);
  const { name, args } = unwrapped(call);
  try {
    const target = catalogue.find(name);
    if (target === undefined) throw await capabilityNotFound(name, catalogue);
    const { spec, form, alias } = target;
    if (listed?.includes(spec.id) === false) throw notListed(spec.id, listed);
    const noPage = pageProblem(target);
    if (noPage !== undefined) throw fail("VALIDATION", noPage, { outcome: "not_applied" });
    const given = { ...target.implied, ...inputFrom(spec, args) };
    const isList = form === "data" && listMember(spec) !== undefined;
    const input = form === "page" ? withoutPage(spec, given) : given;
    const page = form === "page" ? readPage(given) : undefined;
    return { kind: "call", n, spec, form: isList ? "list" : form, input, page, alias };
  } catch (thrown) {
    return { kind: "refused", n, id: name, error: toError(thrown) };
  }
}

function readPage(given: Input): Input | undefined {
  const { cursor, limit } = given;
  const page = {
    ...(typeof cursor === "string" && { cursor }),
    ...(typeof limit === "number" && { limit }),
  };
  return Object.keys(page).length === 0 ? undefined : page;
}

export function isWrite({ spec }: PreparedCall): boolean {
  return spec.effect !== "read";
}
