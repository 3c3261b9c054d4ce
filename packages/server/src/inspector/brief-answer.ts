import { briefText } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallDetail } from "./wire.ts";

type Call = Pick<CallDetail, "kind" | "envelope" | "envelope_cut">;

function isResult(value: unknown): value is ResultEnvelope {
  return isRecord(value) && typeof value["ok"] === "boolean" && isRecord(value["meta"]);
}

/** The answer as brief text, in the form that an agent gets. */
export function briefAnswer({ kind, envelope, envelope_cut }: Call): Pick<CallDetail, "brief"> {
  const isOne = kind === "call" || kind === "step";
  if (!isOne || envelope_cut || !isResult(envelope)) return {};
  return { brief: briefText(envelope) };
}
