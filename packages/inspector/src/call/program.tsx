import type { CallDetail } from "@waybill/server";
import { CopyButton } from "../components/copy-button.tsx";
import { JsonView } from "../components/json-view.tsx";
import { LongText } from "../components/long-text.tsx";
import { Panel } from "../components/panel.tsx";

const FIRST_TEXT = 8_000;

/** The program and input of a run. If they were too long to store, only the start of their JSON. */
function readParams({ params }: CallDetail): { readonly code: string; readonly input?: unknown } {
  const { code, input } = Object(params) as { code?: unknown; input?: unknown };
  if (typeof code === "string") return { code, input };
  return { code: typeof params === "string" ? params : "" };
}

/** The text of a program. */
export function ProgramPanel({ call }: { readonly call: CallDetail }) {
  const { code, input } = readParams(call);
  if (code === "") {
    return (
      <Panel title="Program">
        <p class="soft">The run was refused before its program was known.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Program" end={<CopyButton text={code} what="the program" />}>
      <pre class="code-block" tabIndex={0} aria-label="The program">
        <LongText text={code} first={FIRST_TEXT} />
      </pre>
      {input !== undefined && <JsonView value={input} label="The program's input" />}
    </Panel>
  );
}
