import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import { ConfigSchema } from "@waybill/state";

const MAX_DEPTH = 6;

const HEAD = `# Configuration

<!-- Written by "npm run generate" from the schema in packages/state. Change it there. -->

Look up every setting of \`waybill.config.json\`. Waybill checks the file with the same list, and
names a setting that it does not know.

Waybill reads the nearest \`waybill.config.json\` upwards from the current folder, and your own file at
\`$XDG_CONFIG_HOME/waybill/config.json\` (default: \`~/.config/waybill/config.json\`). \`--config FILE\` replaces the nearest
file. \`waybill source add\` and \`waybill source remove\` change the file for you. Sources of a project's file need
\`waybill trust\`, see [Sources](../guides/sources.md). Paths are relative to the file.

\`\`\`json
{
  "sources": {
    "shop": { "kind": "openapi", "document": "shop.json", "credentials": { "*": { "env": "SHOP_TOKEN" } } }
  },
  "policy": { "deny": ["shop.orders.delete"], "confirm": "writes" }
}
\`\`\`

In a name, \`<name>\` stands for a name of your own.
`;

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

function asObject(schema: JsonSchema | undefined): JsonSchemaObject {
  return isRecord(schema) ? schema : {};
}

/** The members of an object schema, by name. */
function membersIn(schema: JsonSchemaObject): [string, JsonSchemaObject][] {
  const { properties } = schema;
  return isRecord(properties)
    ? Object.entries(properties).map(([name, member]) => [name, asObject(member as JsonSchema)])
    : [];
}

function typeText(schema: JsonSchemaObject): string {
  const { type, enum: values, const: value, items } = schema;
  const choices = (schema.oneOf ?? schema.anyOf) as readonly JsonSchema[] | undefined;
  if (Array.isArray(values)) return values.map((one) => `\`"${String(one)}"\``).join(", ");
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (choices !== undefined) return choices.map((one) => typeText(asObject(one))).join(" or ");
  if (type === "array") return `list of ${typeText(asObject(items as JsonSchema)) || "values"}`;
  return typeof type === "string" ? type : "";
}

/** A member, and the members below it. */
function settingRows(
  name: string,
  schema: JsonSchemaObject,
  isRequired: boolean,
  depth = 0,
): Row[] {
  const { description = "", additionalProperties } = schema;
  const own: Row = { name, type: typeText(schema), isRequired, description: String(description) };
  if (depth === MAX_DEPTH) return [own];
  const below = isRecord(additionalProperties)
    ? belowRows(`${name}.<name>`, additionalProperties, depth)
    : [];
  return [own, ...belowRows(name, schema, depth), ...below];
}

function belowRows(name: string, schema: JsonSchemaObject, depth: number): Row[] {
  const required = (schema.required ?? []) as readonly string[];
  const choices = (schema.anyOf ?? []) as readonly JsonSchema[];
  return [
    ...membersIn(schema).flatMap(([member, inner]) =>
      settingRows(`${name}.${member}`, inner, required.includes(member), depth + 1),
    ),
    ...choices.flatMap((one) => belowRows(name, asObject(one), depth)),
  ];
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, type, isRequired, description }) =>
      `| \`${name}\` | ${type} | ${isRequired ? "yes" : ""} | ${description.replaceAll("|", "\\|")} |`,
  );
  return ["| name | type | required | meaning |", "| --- | --- | --- | --- |", ...lines].join("\n");
}

/** A source has a section for each kind, with the members of that kind. */
function sourceSections(sources: JsonSchemaObject): string[] {
  const { oneOf = [] } = asObject(sources.additionalProperties as JsonSchema);
  return (oneOf as readonly JsonSchema[]).map((one) => {
    const schema = asObject(one);
    const kind = asObject(Object.fromEntries(membersIn(schema))["kind"]);
    const required = (schema.required ?? []) as readonly string[];
    const rows = membersIn(schema).flatMap(([name, member]) =>
      settingRows(name, member, required.includes(name)),
    );
    return `### ${String(kind.description)}\n\n${table(rows)}`;
  });
}

/** The reference page of the configuration file. */
export function renderConfiguration(): string {
  const members = membersIn(ConfigSchema).filter(([name]) => name !== "$schema");
  const { sources, ...others } = Object.fromEntries(members);
  const simple = Object.entries(others).filter(([, schema]) => membersIn(schema).length === 0);
  const sections = Object.entries(others)
    .filter(([, schema]) => membersIn(schema).length > 0)
    .map(([name, schema]) => `## ${name}\n\n${table(belowRows(name, schema, 0))}`);
  return [
    HEAD,
    `## Settings\n\n${table(simple.flatMap(([name, schema]) => settingRows(name, schema, false)))}`,
    ...sections,
    "## sources\n\nEach source has a name: letters, digits, `_` and `-`. `kind` decides the other settings.",
    ...sourceSections(asObject(sources)),
  ].join("\n\n");
}
