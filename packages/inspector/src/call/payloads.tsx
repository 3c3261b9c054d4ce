import type { CallDetail } from "@waybill/server";
import { useState } from "preact/hooks";
import { CopyButton } from "../components/copy-button.tsx";
import { formatBytes } from "../components/format.ts";
import { JsonView } from "../components/json-view.tsx";
import { LongText } from "../components/long-text.tsx";
import { Panel } from "../components/panel.tsx";
import { traceText } from "./trace-export.ts";

const FIRST_TEXT = 8_000;

export function RequestPanel({ call }: { readonly call: CallDetail }) {
  const { params, params_size } = call;
  const isCut = params_size !== undefined;
  return (
    <Panel
      title="Request"
      aside={isCut ? `the beginning of ${formatBytes(params_size)}` : "secrets are redacted"}
    >
      <Payload value={params} isText={isCut} label="The request's input" />
    </Panel>
  );
}

/** The answer: the whole envelope, or its brief text, as agents get it. */
export function EnvelopePanel({ call }: { readonly call: CallDetail }) {
  const [isBrief, setBrief] = useState(false);
  const { envelope, envelope_cut, envelope_size, brief } = call;
  const size = formatBytes(envelope_size);
  const choice = brief !== undefined && (
    <button type="button" class="button quiet" onClick={() => setBrief(!isBrief)}>
      {isBrief ? "As JSON" : "As brief text"}
    </button>
  );
  const shown = isBrief && brief !== undefined ? brief : envelope;
  return (
    <Panel title="Envelope" aside={envelope_cut ? `the beginning of ${size}` : size} end={choice}>
      <Payload
        value={shown}
        isText={envelope_cut || (isBrief && brief !== undefined)}
        label="The envelope"
      />
    </Panel>
  );
}

interface PayloadProps {
  readonly value: unknown;
  /** Whether the answer is text: brief text, or the start of JSON that was too long to store. */
  readonly isText: boolean;
  readonly label: string;
}

function Payload({ value, isText, label }: PayloadProps) {
  if (!isText || typeof value !== "string") return <JsonView value={value ?? null} label={label} />;
  return (
    <pre class="code-block" tabIndex={0} aria-label={label}>
      <LongText text={value} first={FIRST_TEXT} />
    </pre>
  );
}

const FORMS = { command: "Command", code: "TypeScript", trace: "Trace" } as const;
type Form = keyof typeof FORMS;

/** Copies the call as a command or code, or as an OpenTelemetry trace. */
export function CopyPanel({ call }: { readonly call: CallDetail }) {
  const [form, setForm] = useState<Form>("command");
  const text = form === "trace" ? traceText(call) : call[form];
  return (
    <Panel title="Make this call again" end={<CopyButton text={text} what={FORMS[form]} />}>
      <div class="choice row" role="group" aria-label="Written as">
        {(Object.keys(FORMS) as Form[]).map((one) => (
          <button
            key={one}
            type="button"
            class="button quiet"
            aria-pressed={one === form}
            onClick={() => setForm(one)}
          >
            {FORMS[one]}
          </button>
        ))}
      </div>
      <pre class="code-block" tabIndex={0} aria-label={`The call as ${FORMS[form]}`}>
        {text}
      </pre>
    </Panel>
  );
}
