import type { CallDetail } from "@waybill/server";
import { useAnswer } from "../components/use-answer.ts";
import type { Answer } from "../components/use-answer.ts";

/** Loads a call by its id. */
export function useCall(id: string): Answer<CallDetail> {
  return useAnswer<CallDetail>(`/v1/inspect/calls/${encodeURIComponent(id)}`);
}
