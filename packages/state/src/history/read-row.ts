import type { TimelineEntry } from "@waybill/core/protocol";
import type { FoundRow } from "../sqlite/index.ts";
import type { RecordedCall, RecordedDetail } from "./recorded.ts";

/** Columns of a summary that are omitted if they are null. */
const OPTIONAL = [
  "parent_id",
  "source",
  "effect",
  "route",
  "outcome",
  "error_code",
  "error_message",
  "tokens_raw",
  "cost",
  "via",
  "caller",
  "session",
  "agent",
  "input",
  "nested",
] as const;

export function readCallSummary(row: FoundRow): RecordedCall {
  const { seq, request_id, kind, capability_id, started_at, duration_ms } = row;
  const { attempts, tokens_out } = row;
  const given = OPTIONAL.filter((name) => row[name] !== null).map((name) => [name, row[name]]);
  const call = { seq, request_id, kind, capability_id, started_at, duration_ms };
  // Needs no checks, because Waybill wrote the file and its columns are typed.
  return {
    ...call,
    ok: row["ok"] === 1,
    attempts,
    tokens_out,
    ...Object.fromEntries(given),
  } as RecordedCall;
}

function parseStored(text: string, isCut: boolean): unknown {
  if (isCut) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function getJournal({ keyed, outcome }: FoundRow): Pick<RecordedDetail, "journal"> {
  if (keyed === null || outcome === null) return {};
  const journal = { outcome, keyed: keyed === 1 } as NonNullable<RecordedDetail["journal"]>;
  return { journal };
}

/** The members that are in the row itself. Children and ancestors are in other rows. */
export function getDetail(row: FoundRow): Omit<RecordedDetail, "children" | "ancestors"> {
  const isCut = row["envelope_cut"] === 1;
  const isInputCut = row["params_cut"] === 1;
  return {
    ...readCallSummary(row),
    params: parseStored(String(row["params"]), isInputCut),
    ...(isInputCut && { params_size: Number(row["params_size"]) }),
    options: parseStored(String(row["options"]), false) as RecordedDetail["options"],
    envelope: parseStored(String(row["envelope"]), isCut),
    envelope_size: Number(row["envelope_size"]),
    envelope_cut: isCut,
    timeline: parseStored(String(row["timeline"]), false) as TimelineEntry[],
    ...getJournal(row),
  };
}
