import { describedAs } from "../components/format.ts";
import { JsonView } from "../components/json-view.tsx";
import { Panel } from "../components/panel.tsx";
import { readFields } from "./form-fields.ts";
import type { Field } from "./form-fields.ts";

interface SchemaPanelProps {
  readonly title: string;
  readonly schema: unknown;
}

/** A schema as a table of its members, or as JSON on request. */
export function SchemaPanel({ title, schema }: SchemaPanelProps) {
  const fields = readFields(schema);
  if (fields === undefined) {
    return (
      <Panel title={title}>
        <JsonView value={schema} label={title} />
      </Panel>
    );
  }
  return (
    <Panel title={title}>
      <div class="scroll-x" tabIndex={0} role="group" aria-label={`Members of the ${title}`}>
        <table class="schema-table small">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Required</th>
              <th scope="col">Default</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <Member key={field.name} field={field} />
            ))}
          </tbody>
        </table>
      </div>
      <details>
        <summary class="small">JSON Schema</summary>
        <JsonView value={schema} label={title} />
      </details>
    </Panel>
  );
}

function Member({ field }: { readonly field: Field }) {
  return (
    <tr>
      <th scope="row" class="mono">
        {field.name}
      </th>
      <td class="mono">{field.type}</td>
      <td>{field.required ? "yes" : ""}</td>
      <td class="mono">{field.fallback ?? ""}</td>
      <td class="soft">{field.description === undefined ? "" : describedAs(field.description)}</td>
    </tr>
  );
}
