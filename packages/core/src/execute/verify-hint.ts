import { isRecord } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { VerifyHint } from "../router/index.ts";

interface Look {
  readonly capability_id: string;
  readonly params: object;
  readonly select?: readonly string[];
}

function membersOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties : {};
}

/** Where a read shows a field: in the items of a list, or in itself. */
function pathsOf(fields: readonly string[], outputSchema: unknown): string[] {
  const { items, ...own } = membersOf(outputSchema);
  const isList = isRecord(items) && items["type"] === "array";
  const shown = isList ? membersOf(items["items"]) : own;
  const paths = fields.filter((field) => Object.hasOwn(shown, field));
  return isList ? paths.map((field) => `items.${field}`) : paths;
}

/** By its number one goes on with the thing that is found. */
function numbersIn({ outputSchema }: OperationSpec): string[] {
  const members = Object.entries(membersOf(outputSchema));
  return members.flatMap(([name, schema]) => {
    return isRecord(schema) && schema["type"] === "integer" ? [name] : [];
  });
}

/** How to look for what a write wrote, with no more of each thing than tells whether it is the one. */
export function lookOf(hint: VerifyHint, written: OperationSpec, read?: OperationSpec): Look {
  const { capability_id, params, fields } = hint;
  const wanted = new Set([...numbersIn(written), ...fields]);
  const select = pathsOf([...wanted], read?.outputSchema);
  return { capability_id, params, ...(select.length > 0 && { select }) };
}
