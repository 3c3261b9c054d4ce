import type { CallDetail } from "@waybill/server";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/ask.ts";
import { useAnswer } from "../components/use-answer.ts";
import type { Answer } from "../components/use-answer.ts";

const TRIES = 8;
const RETRY_MS = 300;

/**
 * Loads a call by its id. Retries, because a call that has just ended appears in the history a
 * moment later.
 */
export function useCall(id: string): Answer<CallDetail> & { readonly isPending: boolean } {
  const [turn, setTurn] = useState(0);
  const path = `/v1/inspect/calls/${encodeURIComponent(id)}`;
  const answer = useAnswer<CallDetail>(path, { turn });
  const { thrown } = answer;
  const isPending = thrown instanceof Refused && thrown.status === 404 && turn < TRIES;
  useEffect(() => {
    const timer = isPending ? setTimeout(() => setTurn(turn + 1), RETRY_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isPending, turn]);
  return { ...answer, isPending };
}
