import { roughTokens } from "@waybill/core/protocol";
import { isRecord } from "@waybill/core/schema";
import type { CallRecord, ResultEnvelope, ResultError } from "@waybill/core";
import { clip } from "./clip-value.ts";
import type { CallClient, CallSurface } from "./recorded.ts";

/** Removes every secret from a value. If it throws, the value is not stored. */
export type Redact = (value: unknown) => unknown;

export type Row = Readonly<Record<string, string | number | null>> & {
  readonly size: number;
  readonly envelope: string;
  readonly envelope_size: number;
};

const MAX_ENVELOPE = 262_144;
const MAX_PARAMS = 65_536;
const MAX_OPTIONS = 16_384;
const MAX_ENTRIES = 200;
const MAX_MESSAGE = 500;
const MAX_WORDS = 300;
const MAX_NAME = 100;
/** Approximate size of a row without its input and answer. */
const ROW_BYTES = 400;
/**
 * Characters per token. The estimate is cautious, so that savings are not overstated: JSON
 * hardly ever has fewer tokens.
 */
const BYTES_PER_TOKEN = 4;

interface Text {
  readonly text: string;
  /** Size of the whole value, in characters. */
  readonly size: number;
  readonly isCut: boolean;
}

/** A caller's value may be anything, even a value that JSON cannot represent. */
function toStoredJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return '"something that is not JSON"';
  }
}

/**
 * The value's JSON without secrets, cut to the limit. Only the stored part is searched for secrets.
 */
function keptText(value: unknown, whole: string, limit: number, redact: Redact): Text {
  const size = Buffer.byteLength(whole);
  if (whole.length <= limit) return { text: toStoredJson(redact(value)), size, isCut: false };
  const text = toStoredJson(redact(clip(value, limit))).slice(0, limit);
  return { text, size, isCut: true };
}

function withoutApproval(envelope: unknown): unknown {
  if (!isRecord(envelope) || !isRecord(envelope["error"])) return envelope;
  const { error } = envelope;
  if (!isRecord(error["details"])) return envelope;
  const { approve: _, ...details } = error["details"];
  return { ...envelope, error: { ...error, details } };
}

/**
 * Removes approval tokens, also from the steps of a chain, because every reader of the history
 * could use them.
 */
function withoutApprovals(envelope: ResultEnvelope): unknown {
  const { data } = envelope;
  if (!isRecord(data) || !Array.isArray(data["results"])) return withoutApproval(envelope);
  return { ...envelope, data: { ...data, results: data["results"].map(withoutApproval) } };
}

/** A chain counts as failed if one of its steps failed, although its envelope is a success. */
function isGood({ kind, envelope }: CallRecord): boolean {
  if (kind !== "chain" || !envelope.ok) return envelope.ok;
  return isRecord(envelope.data) && envelope.data["status"] === "success";
}

function timelineText({ timeline }: CallRecord, redact: Redact): string {
  const entries = timeline.slice(0, MAX_ENTRIES).map(({ reason, ...entry }) => {
    return reason === undefined ? entry : { ...entry, reason: reason.slice(0, MAX_MESSAGE) };
  });
  return toStoredJson(redact(entries));
}

/** Options above the limit are not stored. No realistic call has so many. */
function optionsText({ options }: CallRecord, redact: Redact): string {
  const text = toStoredJson(redact(options));
  return text.length <= MAX_OPTIONS ? text : "{}";
}

function tries({ timeline }: CallRecord): number {
  return timeline.filter(({ status }) => status === "success" || status === "error").length;
}

/**
 * The error of a chain in which no step succeeded: that of the first step that could not be
 * sent.
 */
function chainError({ data }: ResultEnvelope): ResultError | undefined {
  if (!isRecord(data) || data["status"] !== "failed" || !Array.isArray(data["results"])) {
    return undefined;
  }
  const errors = (data["results"] as ResultEnvelope[]).flatMap(({ error }) => error ?? []);
  // The other steps were cancelled because of this step.
  return errors.find(({ code }) => code !== "CANCELLED") ?? errors[0];
}

function failureColumns(
  { kind, envelope }: CallRecord,
  redact: Redact,
): Record<string, string | null> {
  const error = kind === "chain" && envelope.ok ? chainError(envelope) : envelope.error;
  if (error === undefined || error === null) return { error_code: null, error_message: null };
  const { code, message } = error;
  const clean = String(redact(message.slice(0, MAX_MESSAGE)));
  return { error_code: code, error_message: clean };
}

function rateColumns({ rate_limit }: CallRecord): Record<string, number | null> {
  return {
    rate_remaining: rate_limit?.remaining ?? null,
    rate_limit: rate_limit?.limit ?? null,
    rate_reset: rate_limit?.reset_at ?? null,
  };
}

/** The names that clients give themselves. */
function clientColumns(
  { session, agent }: CallClient,
  redact: Redact,
): Record<string, string | null> {
  const kept = (name: string | undefined): string | null =>
    name === undefined ? null : String(redact(name)).slice(0, MAX_NAME);
  return { session: kept(session), agent: kept(agent) };
}

/** The row for a finished call. */
export function historyRow(
  record: CallRecord,
  via: CallSurface,
  redact: Redact,
  client: CallClient = {},
): Row {
  const { envelope, params, raw_bytes, journal } = record;
  const shown = record.kind === "chain" ? withoutApprovals(envelope) : withoutApproval(envelope);
  const answer = toStoredJson(shown);
  const kept = keptText(shown, answer, MAX_ENVELOPE, redact);
  const input = keptText(params, toStoredJson(params), MAX_PARAMS, redact);
  const timeline = timelineText(record, redact);
  const words = input.text.slice(0, MAX_WORDS);
  const failure = failureColumns(record, redact);
  const options = optionsText(record, redact);
  const texts = [kept.text, input.text, options, timeline, words, failure["error_message"] ?? ""];
  return {
    request_id: record.request_id,
    parent_id: record.parent_id ?? null,
    kind: record.kind,
    capability_id: record.capability_id,
    source: record.source ?? null,
    effect: record.effect ?? null,
    route: envelope.meta.route_used ?? null,
    ok: isGood(record) ? 1 : 0,
    outcome: journal?.outcome ?? null,
    keyed: journal === undefined ? null : Number(journal.keyed),
    ...failure,
    started_at: Math.round(record.started_at),
    duration_ms: Math.round(record.duration_ms * 1_000) / 1_000,
    attempts: tries(record),
    tokens_raw: raw_bytes === undefined ? null : Math.round(raw_bytes / BYTES_PER_TOKEN),
    cost: record.upstream_requests ?? null,
    via,
    caller: record.identity?.id ?? null,
    ...clientColumns(client, redact),
    ...rateColumns(record),
    words,
    params: input.text,
    params_size: input.size,
    params_cut: Number(input.isCut),
    options,
    envelope: kept.text,
    envelope_size: kept.size,
    envelope_cut: Number(kept.isCut),
    timeline,
    size: ROW_BYTES + Buffer.byteLength(texts.join("")),
  };
}

/** Counts tokens only when the row is written, because the token list is loaded late. */
export function withTokens(row: Row): Row {
  const { envelope, envelope_size } = row;
  const kept = roughTokens(envelope);
  const isCut = row["envelope_cut"] === 1;
  const share = isCut ? envelope_size / Math.max(1, Buffer.byteLength(envelope)) : 1;
  return { ...row, tokens_out: Math.round(kept * share) };
}
