import type { CapabilityView } from "@waybill/server";
import { useState } from "preact/hooks";
import { Panel } from "../components/panel.tsx";
import { place } from "../router/router.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { FieldInput } from "./field-input.tsx";
import { RunResult } from "./run-result.tsx";
import { useForm, useParamsOfCall } from "./use-form.ts";
import type { Form } from "./use-form.ts";
import { useRunner } from "./use-runner.ts";
import type { Runner } from "./use-runner.ts";

const EFFECT_WORDS = {
  read: "",
  write: "This is a write. It is sent with a key, so that it is applied only once.",
  destructive: "This is destructive. You are asked before it runs.",
} as const;

/** A form that is built from the input schema and runs the capability. */
export function RunForm({ view }: { readonly view: CapabilityView }) {
  const { explanation, effect, input_schema } = view;
  const id = explanation.capability_id;
  const form = useForm(input_schema);
  const runner = useRunner(id, effect !== "read");
  useParamsOfCall(place.value.query.get("from"), form.fill);
  return (
    <Panel title="Run it" end={form.hasFields && <Toggle form={form} />}>
      <Fields form={form} runner={runner} effect={effect} />
      {runner.problem !== undefined && (
        <p class="notice run-result" role="alert">
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

function Toggle({ form: { isWhole, toggle } }: { readonly form: Form }) {
  return (
    <button type="button" class="button quiet" onClick={toggle}>
      {isWhole ? "As a form" : "As JSON"}
    </button>
  );
}

interface FieldsProps {
  readonly form: Form;
  readonly runner: Runner;
  readonly effect: CapabilityView["effect"];
}

function Fields({ form, runner, effect }: FieldsProps) {
  const [wasTried, setTried] = useState(false);
  const send = (how: (params: unknown) => void): void => {
    setTried(true);
    if (form.problems.size === 0 && !runner.isRunning) how(form.params);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    send(runner.run);
  };
  return (
    <form class="run-form" noValidate onSubmit={submit}>
      {form.alternatives.length > 0 && (
        <p class="small soft">Give at least one of: {form.alternatives.join(", ")}.</p>
      )}
      {form.fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={form.values[field.name] ?? ""}
          problem={wasTried ? form.problems.get(field.name) : undefined}
          onChange={(value) => form.set(field.name, value)}
        />
      ))}
      <div class="row">
        <button
          class={`button ${effect === "destructive" ? "danger" : "primary"}`}
          disabled={runner.isRunning}
        >
          {runner.isRunning ? "Running…" : "Run"}
        </button>
        {effect !== "read" && (
          <button type="button" class="button" onClick={() => send(runner.tryOut)}>
            Dry run
          </button>
        )}
        <span class="soft small">{EFFECT_WORDS[effect]}</span>
      </div>
    </form>
  );
}
