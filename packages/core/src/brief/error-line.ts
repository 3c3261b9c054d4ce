import { isRecord } from "../envelope/index.ts";
import type { BriefError, BriefMeta } from "../envelope/index.ts";
import { isPlainLine, quotedStart } from "./cell.ts";
import { mentions, unsaidPart } from "./unsaid.ts";

type Details = Readonly<Record<string, unknown>>;

/** The error of a capability or of a code-graph tool. The tools have their own error codes. */
export type ShownError = Omit<BriefError, "code"> & { readonly code: string };

const OUTCOMES = { not_applied: "not applied", applied: "applied", unknown: "unknown" } as const;
const RETRY = "retry";
const RETRY_AFTER = /^retry after (\d+) ms$/u;
/**
 * Facts in parentheses follow the message, then next steps after a `|`, then further details as
 * JSON. The facts are matched exactly, because a message may end with `(applied` or contain other
 * text in parentheses.
 */
const AFTER_MESSAGE =
  / (?:\((?:(?:not applied|applied|unknown)(?:, retry(?: after \d+ ms)?)?|retry(?: after \d+ ms)?)\)|\| |\{)/u;
const FACTS = /^ \(([^)]*)\)/u;
const NEXT = " | ";
const USE = "use ";
/** Matches a hint that ends with the approval token: `Once a person agrees, pass approve 1.2`. */
const APPROVE = /^(.* approve) ([\w.-]+)$/u;

/**
 * Whether a text is one sentence without the characters that separate the parts of an error
 * line.
 */
function isPlainSentence(text: unknown): text is string {
  if (typeof text !== "string" || !isPlainLine(text)) return false;
  const isStep = text.startsWith(USE) || APPROVE.test(text);
  return !text.startsWith('"') && !isStep && !AFTER_MESSAGE.test(` ${text} `);
}

/** The hint followed by the approval token. Undefined if they cannot be written as one step. */
function approvalStep({ approve, hint }: Details): string | undefined {
  if (!isPlainSentence(hint) || typeof approve !== "string") return undefined;
  const step = `${hint} ${approve}`;
  return APPROVE.exec(step)?.[1] === hint ? step : undefined;
}

function isOutcome(value: unknown): value is keyof typeof OUTCOMES {
  return typeof value === "string" && Object.hasOwn(OUTCOMES, value);
}

/** Whether a wait can be written in words. A negative one is written as JSON. */
function isWait(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function outcomeWords({ retryable, details = {} }: ShownError): string[] {
  const { outcome, retry_after_ms: wait } = details;
  const retry = isWait(wait) ? `${RETRY} after ${String(wait)} ms` : RETRY;
  return [
    ...(isOutcome(outcome) ? [OUTCOMES[outcome]] : []),
    ...(retryable === true ? [retry] : []),
  ];
}

/** Whether the message already names the repository of these details: `octo/hello`. */
function isRepositorySaid({ owner, repo }: Details, message: string): boolean {
  const isNamed = typeof owner === "string" && typeof repo === "string";
  return isNamed && mentions(message, `${owner}/${repo}`);
}

/** In the JSON, `meta` has the metadata of the answer. A detail with this name gets a prefix. */
function detailKey(name: string): string {
  return /^(?:details\.)*meta$/u.test(name) ? `details.${name}` : name;
}

function readDetailKey(key: string): string {
  return key.replace(/^details\.((?:details\.)*meta)$/u, "$1");
}

function furtherDetails({ message, retryable, details = {} }: ShownError): Details {
  const signature = isPlainSentence(details["signature"]) ? details["signature"] : "";
  const told = [
    ...(isOutcome(details["outcome"]) ? ["outcome"] : []),
    ...(retryable === true && isWait(details["retry_after_ms"]) ? ["retry_after_ms"] : []),
    ...["hint", "signature"].filter((name) => isPlainSentence(details[name])),
    // An agent repeats the call with `approve`. Only a person needs the id of the approval request.
    ...(typeof details["approve"] === "string" ? ["approval"] : []),
    ...(approvalStep(details) === undefined ? [] : ["approve"]),
    ...(isRepositorySaid(details, message) ? ["owner", "repo"] : []),
  ];
  const rest = Object.entries(details)
    .filter(([name]) => !told.includes(name))
    .map(([name, value]) => [detailKey(name), unsaidPart(name, value, { message, signature })]);
  return Object.fromEntries(rest.filter(([, value]) => value !== undefined));
}

function nextSteps({ details = {} }: ShownError): string {
  const { signature, hint } = details;
  const steps = [
    ...(isPlainSentence(signature) ? [`${USE}${signature}`] : []),
    ...(isPlainSentence(hint) ? [approvalStep(details) ?? hint] : []),
  ];
  return steps.map((step) => `${NEXT}${step}`).join("");
}

/**
 * The request id is shown only if the outcome is unknown, because it helps to look up the
 * request.
 */
function shownMeta({ details = {} }: ShownError, { request_id, ...meta }: BriefMeta): BriefMeta {
  const isUnknown = details["outcome"] === "unknown";
  return { ...(isUnknown && request_id !== undefined && { request_id }), ...meta };
}

/** A failure in one line: `!NOT_FOUND Issue octo/hello#99 does not exist (not applied)`. */
export function errorLine(error: ShownError, meta: BriefMeta = {}): string {
  const message = isPlainSentence(error.message) ? error.message : JSON.stringify(error.message);
  const facts = outcomeWords(error);
  const kept = shownMeta(error, meta);
  const rest = { ...furtherDetails(error), ...(Object.keys(kept).length > 0 && { meta: kept }) };
  return [
    `!${error.code} ${message}`,
    facts.length > 0 ? ` (${facts.join(", ")})` : "",
    nextSteps(error),
    Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "",
  ].join("");
}

function readMessage(text: string): { message: string; after: string } {
  const quoted = quotedStart(text);
  if (quoted !== undefined) {
    return { message: String(JSON.parse(quoted)), after: text.slice(quoted.length) };
  }
  const end = AFTER_MESSAGE.exec(text)?.index ?? text.length;
  return { message: text.slice(0, end), after: text.slice(end) };
}

function readOutcome(text: string): { retryable?: true; details: Details } {
  const facts = text.split(", ");
  const outcome = Object.entries(OUTCOMES).find(([, words]) => facts.includes(words))?.[0];
  const wait = facts.map((fact) => RETRY_AFTER.exec(fact)?.[1]).find((ms) => ms !== undefined);
  const isRetryable = wait !== undefined || facts.includes(RETRY);
  return {
    ...(isRetryable && { retryable: true }),
    details: {
      ...(outcome !== undefined && { outcome }),
      ...(wait !== undefined && { retry_after_ms: Number(wait) }),
    },
  };
}

function readStep(step: string): Details {
  if (step.startsWith(USE)) return { signature: step.slice(USE.length) };
  const [, hint, approve] = APPROVE.exec(step) ?? [];
  return approve === undefined ? { hint: step } : { hint, approve };
}

function readNext(text: string): Details {
  const steps = text.split(NEXT).filter((step) => step !== "");
  return Object.assign({}, ...steps.map(readStep)) as Details;
}

function readRest(text: string): Details {
  const rest: unknown = text === "" ? {} : JSON.parse(text);
  return isRecord(rest) ? rest : {};
}

/** Reads the error that `errorLine` wrote, and the part of the meta in it. */
export function readErrorLine(line: string): { error: ShownError; meta: BriefMeta } {
  const space = line.indexOf(" ");
  const { message, after } = readMessage(line.slice(space + 1));
  const inParentheses = FACTS.exec(after);
  const { retryable, details: facts } = readOutcome(inParentheses?.[1] ?? "");
  const tail = after.slice(inParentheses?.[0].length ?? 0);
  const json = tail.indexOf(" {");
  const { meta, ...others } = readRest(json < 0 ? "" : tail.slice(json + 1));
  const rest = Object.fromEntries(
    Object.entries(others).map(([key, value]) => [readDetailKey(key), value]),
  );
  const details = { ...facts, ...readNext(json < 0 ? tail : tail.slice(0, json)), ...rest };
  const error = { code: line.slice(1, space), message, ...(retryable === true && { retryable }) };
  return {
    error: Object.keys(details).length > 0 ? { ...error, details } : error,
    meta: isRecord(meta) ? meta : {},
  };
}
