import type { ComponentChildren } from "preact";
import { JsonView } from "../components/json-view.tsx";
import { errorMessage } from "../components/states.tsx";
import type { ToolAnswer, ToolCall } from "./use-tool.ts";

interface Props<T> {
  readonly title: string;
  readonly call: ToolCall;
  readonly answer: ToolAnswer<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** The answer of a tool: its main facts as text, and the full answer on request. */
export function ToolSection<T>({ title, call, answer, children }: Props<T>) {
  return (
    <section class="facts-section" aria-label={title}>
      <h3>{title}</h3>
      {answer.state === "asking" && (
        <p class="soft small" role="status">
          Loading…
        </p>
      )}
      {answer.state === "failed" && (
        <p class="notice small" role="alert">
          {errorMessage(answer.thrown)}
        </p>
      )}
      {answer.state === "there" && (
        <>
          {children(answer.data)}
          <details class="raw">
            <summary class="small soft">
              The answer of <code>graph.{call.tool}</code>
            </summary>
            <JsonView value={answer.envelope} label={`The answer of graph.${call.tool}`} />
          </details>
        </>
      )}
    </section>
  );
}

interface KnownProps {
  readonly completeness?: string | undefined;
  readonly why?: readonly string[] | undefined;
}

/** Whether the answer may be incomplete, and why. */
export function Known({ completeness, why = [] }: KnownProps) {
  if (completeness !== "lower-bound") return null;
  return <p class="soft small">There may be more: {why.join(", ")}.</p>;
}
