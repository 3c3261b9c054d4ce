import type { CallDetail, CapabilityView } from "@waybill/server";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { Panel } from "../parts/panel.tsx";
import { place } from "../router/router.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { FieldInput } from "./field-input.tsx";
import { fieldsOf } from "./form-fields.ts";
import type { Field } from "./form-fields.ts";
import { jsonOf, readForm, valuesFrom } from "./form-values.ts";
import { RunResult } from "./run-result.tsx";
import { useRunner } from "./use-runner.ts";

/** The whole input as one text, for what cannot be asked for field by field. */
const WHOLE: Field = { name: "params", kind: "json", required: false };

/** A form made from the input's schema, which runs the capability. */
export function RunForm({ view }: { readonly view: CapabilityView }) {
  const { explanation, effect, input_schema } = view;
  const id = explanation.capability_id;
  const byField = useMemo(() => fieldsOf(input_schema), [input_schema]);
  const [isWhole, setWhole] = useState(byField === undefined);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [wasTried, setTried] = useState(false);
  const runner = useRunner(id, effect !== "read");
  const fields = isWhole || byField === undefined ? [WHOLE] : byField;
  const { params, problems } = useMemo(
    () => (isWhole ? readWhole(values["params"]) : readForm(fields, values)),
    [isWhole, fields, values],
  );
  const fill = (given: unknown): void => {
    const filled = valuesFrom(byField ?? [], given);
    const mustBeWhole = byField === undefined || filled.lost.length > 0;
    setWhole(mustBeWhole);
    setValues(mustBeWhole ? { params: JSON.stringify(given, null, 2) } : filled.values);
  };
  useParamsOfCall(place.value.query.get("from"), fill);

  const toggle = (): void => (isWhole ? fill(params) : showWhole());
  const showWhole = (): void => {
    setValues({ params: JSON.stringify(params, null, 2) });
    setWhole(true);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (problems.size === 0 && !runner.isRunning) runner.run(params);
  };
  return (
    <Panel
      title="Run it"
      end={
        byField !== undefined && (
          <button type="button" class="button quiet" aria-pressed={isWhole} onClick={toggle}>
            {isWhole ? "As a form" : "As JSON"}
          </button>
        )
      }
    >
      <form class="run-form" noValidate onSubmit={submit}>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            problem={wasTried ? problems.get(field.name) : undefined}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <div class="row">
          <button
            class={`button ${effect === "destructive" ? "danger" : "primary"}`}
            disabled={runner.isRunning}
          >
            {runner.isRunning ? "Running…" : "Run"}
          </button>
          {effect !== "read" && <span class="soft small">{EFFECT_WORDS[effect]}</span>}
        </div>
      </form>
      {runner.problem !== undefined && (
        <p class="notice" role="alert">
          {runner.problem}
        </p>
      )}
      {runner.ran !== undefined && runner.asked === undefined && <RunResult ran={runner.ran} />}
      {runner.asked !== undefined && (
        <AskDialog id={id} asked={runner.asked} onAnswer={runner.answer} />
      )}
    </Panel>
  );
}

const EFFECT_WORDS = {
  write: "This writes. It is sent with a key, so that it is applied once.",
  destructive: "This destroys something. You are asked before it is done.",
} as const;

function readWhole(text = ""): ReturnType<typeof readForm> {
  try {
    const params = (text.trim() === "" ? {} : jsonOf(text)) as Record<string, unknown>;
    return { params, problems: new Map() };
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : "";
    return { params: {}, problems: new Map([["params", words]]) };
  }
}

/** `?from=<request id>` fills the form with what an earlier call was made with. */
function useParamsOfCall(requestId: string | null, fill: (params: unknown) => void): void {
  useEffect(() => {
    if (requestId === null) return undefined;
    const end = new AbortController();
    ask<CallDetail>(`/v1/inspect/calls/${encodeURIComponent(requestId)}`, {
      signal: end.signal,
    }).then(
      ({ params, params_size }) => params_size === undefined && fill(params),
      // A call that is not there any more leaves the form empty.
      () => undefined,
    );
    return () => end.abort();
  }, [requestId]);
}
