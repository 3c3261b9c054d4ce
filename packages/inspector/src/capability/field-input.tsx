import { describedAs } from "../components/format.ts";
import type { Field } from "./form-fields.ts";

interface FieldInputProps {
  readonly field: Field;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A field with its name, control, description and problem. */
export function FieldInput({ field, value, problem, onChange }: FieldInputProps) {
  const { name, required, description } = field;
  const id = `input-${name}`;
  const says = `${id}-says`;
  const common = {
    id,
    class: "field",
    value,
    "aria-describedby": says,
    "aria-invalid": problem !== undefined,
    "aria-required": required,
  };
  return (
    <div class="form-field">
      <label for={id}>
        <span class="mono">{name}</span>
        {required && <span class="soft small"> required</span>}
      </label>
      <Control field={field} common={common} onChange={onChange} />
      <div id={says} class="small">
        {problem !== undefined && <span class="problem">{problem}. </span>}
        {description !== undefined && <span class="soft">{describedAs(description)}</span>}
        {getHint(field) !== "" && <span class="soft"> {getHint(field)}</span>}
      </div>
    </div>
  );
}

interface ControlProps {
  readonly field: Field;
  readonly common: Readonly<Record<string, unknown>>;
  readonly onChange: (value: string) => void;
}

function Control({ field, common, onChange }: ControlProps) {
  const listen = ({
    currentTarget,
  }: {
    readonly currentTarget: { readonly value: string };
  }): void => onChange(currentTarget.value);
  switch (field.kind) {
    case "switch":
      return <Choices {...common} choices={["true", "false"]} field={field} listen={listen} />;
    case "choice":
      return <Choices {...common} choices={field.choices ?? []} field={field} listen={listen} />;
    case "paragraph":
      return <textarea {...common} rows={5} onInput={listen} />;
    case "lines":
    case "json":
      return (
        <textarea
          {...common}
          rows={field.kind === "json" ? 4 : 3}
          spellcheck={false}
          onInput={listen}
        />
      );
    case "number":
      return (
        <input
          {...common}
          type="number"
          inputMode="numeric"
          step={field.integer === true ? 1 : "any"}
          {...(field.minimum !== undefined && { min: field.minimum })}
          {...(field.maximum !== undefined && { max: field.maximum })}
          onInput={listen}
        />
      );
    case "repository":
    case "text":
      return <input {...common} type="text" spellcheck={false} onInput={listen} />;
  }
}

interface ChoicesProps {
  readonly choices: readonly string[];
  readonly field: Field;
  readonly listen: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

function Choices({ choices, field, listen, ...common }: ChoicesProps) {
  return (
    <select {...common} onChange={listen}>
      <option value="">{field.required ? "choose…" : "not given"}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {plain(choice)}
        </option>
      ))}
    </select>
  );
}

/** A JSON string without its quotes; any other JSON unchanged. */
function plain(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

function formHint({ kind, type }: Field): string {
  if (kind === "lines") return "One value per line. ";
  if (kind !== "json") return "";
  return type.split(" | ").includes("string") ? "Text or JSON. " : "As JSON. ";
}

function getHint(field: Field): string {
  const { fallback } = field;
  const form = formHint(field);
  return fallback === undefined ? form : `${form}Default: ${plain(fallback)}.`;
}
