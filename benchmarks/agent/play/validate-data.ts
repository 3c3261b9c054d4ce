import { isRecord, loadChecker } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { packSpecs } from "@waybill/github/cards";
import type { Scenario, Step } from "../types.ts";

const specs = new Map(packSpecs().map((spec) => [spec.id, spec]));

/** Removes `required`, because a selection has fewer members. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).filter(
    ([name, value]) => !(name === "required" && Array.isArray(value)),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, withoutRequired(value)]));
}

/**
 * Whether an answer has only some members: those that were selected, or those that brief text shows.
 * Brief text names the others after `+`, and tells the next page outside of the data.
 */
function isShortened(
  step: Step | undefined,
  { data, meta }: Readonly<Record<string, unknown>>,
): boolean {
  const isList = isRecord(data) && Array.isArray(data["items"]) && !("pageInfo" in data);
  return step?.select !== undefined || isList || (isRecord(meta) && "left_out" in meta);
}

/** The first answer whose data does not match its capability's output schema. */
export async function schemaProblem(
  { steps, assertions }: Scenario,
  outputs: readonly unknown[],
): Promise<string | undefined> {
  if (assertions.schema !== true) return undefined;
  for (const [index, output] of outputs.entries()) {
    const step = steps[steps.length === 1 ? 0 : index];
    const schema = specs.get(step?.capability ?? "")?.outputSchema;
    if (step?.select === "none" || schema === undefined) continue;
    if (!isRecord(output) || output["ok"] !== true) continue;
    const expected = isShortened(step, output) ? withoutRequired(schema) : schema;
    const compiled = (await loadChecker(expected as JsonSchema)).compile(expected as JsonSchema);
    const [issue] = compiled.check(output["data"]) ? [] : compiled.issues(output["data"]);
    if (issue !== undefined) return `data${issue.path} ${issue.message}`;
  }
  return undefined;
}
