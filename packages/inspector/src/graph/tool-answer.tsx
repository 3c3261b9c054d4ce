import type { ComponentChildren } from "preact";
import { wordsOf } from "../parts/states.tsx";
import type { ToolAnswer } from "./tools.ts";
import type { Answer } from "./use-answer.ts";

interface Props<T> {
  readonly title: string;
  readonly answer: Answer<ToolAnswer<T>>;
  readonly children: (data: T) => ComponentChildren;
}

/** What a tool said: its facts in words, and the answer itself for whoever wants it. */
export function ToolSection<T>({ title, answer, children }: Props<T>) {
  return (
    <section class="facts-section" aria-label={title}>
      <h3>{title}</h3>
      {answer.state === "asking" && (
        <p class="soft small" role="status">
          Asking…
        </p>
      )}
      {answer.state === "failed" && (
        <p class="notice small" role="alert">
          {wordsOf(answer.thrown)}
        </p>
      )}
      {answer.state === "there" && (
        <>
          {children(answer.value.data)}
          <details class="raw">
            <summary class="small soft">
              The answer of <code>{answer.value.capability_id}</code>
            </summary>
            <pre class="code-block">{JSON.stringify(answer.value.data, null, 2)}</pre>
          </details>
        </>
      )}
    </section>
  );
}

/** Whether there may be more than was seen, and why. */
export function Known({
  completeness,
  why = [],
}: {
  readonly completeness?: string | undefined;
  readonly why?: readonly string[] | undefined;
}) {
  if (completeness !== "lower-bound") return null;
  return <p class="soft small">There may be more: {why.join(", ")}.</p>;
}
