import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { comebacks } from "../api/connection.ts";

export interface Answer<T> {
  readonly value?: T;
  /** The error of the last request. The older value is still shown. */
  readonly thrown?: unknown;
}

interface AnswerOptions {
  /** Loads again at this interval, in milliseconds, while the page is visible. */
  readonly everyMs?: number;
  /** Loads again whenever this value changes. */
  readonly turn?: number;
  /** Whether to show the answer of the previous path until the new one arrives. */
  readonly keeps?: boolean;
}

/**
 * Loads the server's response to a GET. Loads again when the path changes or the server comes back.
 */
export function useAnswer<T>(
  path: string,
  { everyMs, turn = 0, keeps = false }: AnswerOptions = {},
): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { readonly of: string }>({ of: path });
  const comeback = comebacks.value;
  useEffect(() => {
    const end = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const value = await ask<T>(path, { signal: end.signal });
        setAnswer({ of: path, value });
      } catch (thrown) {
        if (!end.signal.aborted)
          setAnswer((last) => ({ ...(last.of === path ? last : { of: path }), thrown }));
      }
    };
    void load();
    const timer =
      everyMs === undefined
        ? undefined
        : setInterval(() => void (document.hidden || load()), everyMs);
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }, [path, comeback, turn, everyMs]);
  return keeps || answer.of === path ? answer : {};
}
