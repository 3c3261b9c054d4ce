import type { Route } from "../envelope/index.ts";
import type { Effect, OperationSpec, OperationSummary } from "../operation/index.ts";
import { describeFields, describeInputs } from "../schema/index.ts";

/** What an agent needs to know to call a capability, and no more. */
export interface OperationCardSummary {
  readonly capability_id: string;
  readonly purpose: string;
  readonly effect: Effect;
  /** `name:type` each, with allowed values. */
  readonly required_inputs: readonly string[];
  readonly optional_inputs: readonly string[];
  readonly output_fields: readonly string[];
  readonly preferred_route: Route;
  readonly fallback_routes: readonly Route[];
  readonly notes?: readonly string[];
}

/** A capability in a list. */
export interface CapabilityListItem {
  readonly capability_id: string;
  readonly description: string;
}

/** The first sentence is the purpose; what follows is for people. */
function purposeOf(description: string): string {
  const [first = ""] = description.split(/(?<=[.!?])\s|\n/u, 1);
  return first.trim();
}

export function summarise(
  spec: OperationSpec,
  routes: readonly Route[] = ["local"],
): OperationCardSummary {
  const inputs = describeInputs(spec.inputSchema);
  const notes = spec.notes ?? [];
  return {
    capability_id: spec.id,
    purpose: purposeOf(spec.description),
    effect: spec.effect,
    required_inputs: inputs.required,
    optional_inputs: inputs.optional,
    output_fields: describeFields(spec.outputSchema),
    preferred_route: routes[0] ?? "local",
    fallback_routes: routes.slice(1),
    ...(notes.length > 0 && { notes }),
  };
}

export function toListItem(operation: OperationSummary): CapabilityListItem {
  return { capability_id: operation.id, description: purposeOf(operation.description) };
}
