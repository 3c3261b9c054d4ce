import { cardSpec } from "../cards/index.ts";
import type { PreparedCard } from "../cards/index.ts";
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
  const [first = ""] = description.trim().split(/(?<=[.!?])\s|\n/u, 1);
  return first.trim();
}

/** Of a purpose too long for a line, the words of its first 120 characters. */
function inALine(purpose: string): string {
  if (!/^.{121}/u.test(purpose)) return purpose;
  const [start = ""] = /^.{1,119}(?!\S)/u.exec(purpose) ?? /^.{1,119}/u.exec(purpose) ?? [];
  return `${start.trimEnd()}…`;
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

/** What `explain` says of a card, for who has the card and no Waybill. */
export function explainCard(card: PreparedCard): OperationCardSummary {
  return summarise(cardSpec(card), card.order.length === 0 ? undefined : card.order);
}

/** Most inputs are text, so a name without a type says so in fewer tokens. */
function short(input: string): string {
  return input.replace(/:string(?==|$)/, "");
}

function optional(input: string): string {
  return short(input).replace(/^[^:=]+/, "$&?");
}

/** How a call is written, in a line: `issue.view(owner, name, number:integer, include?)`. */
export function signatureText({ id, inputSchema }: OperationSpec): string {
  const { required, optional: others } = describeInputs(inputSchema);
  return `${id}(${[...required.map(short), ...others.map(optional)].join(", ")})`;
}

/** The same facts in the few lines that an agent pays for. */
export function explainText(summary: OperationCardSummary): string {
  const { required_inputs, optional_inputs, output_fields, notes = [] } = summary;
  const inputs = [...required_inputs.map(short), ...optional_inputs.map(optional)];
  const routes = [summary.preferred_route, ...summary.fallback_routes];
  return [
    `${summary.capability_id} (${summary.effect}) ${summary.purpose}`,
    `in: ${inputs.join(", ") || "nothing"}`,
    `out: ${output_fields.join(", ") || "anything"}`,
    `via: ${routes.join(", ")}`,
    ...notes.map((text) => `note: ${text}`),
  ].join("\n");
}

export function toListItem(operation: OperationSummary): CapabilityListItem {
  return { capability_id: operation.id, description: inALine(purposeOf(operation.description)) };
}
