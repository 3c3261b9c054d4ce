import type { Waybill } from "@waybill/core";
import { UsageError } from "../usage-error.ts";

type Explainer = Partial<Pick<Waybill, "explain">>;

/** The operation, or nothing where its id is wrong: the call itself says that better. */
async function explained(caller: Explainer, id: string) {
  try {
    return await caller.explain?.(id);
  } catch {
    return undefined;
  }
}

/**
 * A word without `=` names a field of the answer. If a write has no such field, the word is probably
 * a mistyped input, so nothing is sent.
 */
export async function checkFields(
  caller: Explainer,
  id: string,
  fields: readonly string[],
): Promise<void> {
  if (fields.length === 0) return;
  const summary = await explained(caller, id);
  if (summary === undefined || summary.effect === "read") return;
  // Fields are described with their types, as in `author:{login}`.
  const known = new Set(summary.output_fields.join(" ").match(/\w+/gu));
  const unknown = fields.find((field) => !known.has(field.split(".")[0]!));
  if (unknown === undefined || known.size === 0) return;
  throw new UsageError(`${unknown} is neither an input of ${id} nor a field of its result`, {
    hint: `Nothing was sent. Inputs are written key=value; fields are ${fieldNames(summary.output_fields)}`,
  });
}

function fieldNames(described: readonly string[]): string {
  return described.map((field) => /^\w+/u.exec(field)?.[0] ?? field).join(", ");
}
