import { useEffect, useState } from "preact/hooks";

/** What was asked for: not yet there, there, or refused. */
export type Answer<T> =
  | { readonly state: "asking" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "failed"; readonly thrown: unknown };

/**
 * Asks whenever `key` changes, and forgets whoever was asked before; without a key nobody is asked.
 */
export function useAnswer<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { readonly key?: string | undefined }>({
    state: "asking",
  });
  useEffect(() => {
    if (key === undefined) return undefined;
    const gone = new AbortController();
    const { signal } = gone;
    const set = (next: Answer<T>): void => {
      if (!signal.aborted) setAnswer({ ...next, key });
    };
    load(signal).then(
      (value) => set({ state: "there", value }),
      (thrown: unknown) => set({ state: "failed", thrown }),
    );
    return () => gone.abort();
  }, [key]);
  // An answer to an earlier question is none to this one.
  return answer.key === key ? answer : { state: "asking" };
}
