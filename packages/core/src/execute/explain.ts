import { cardSpec } from "../cards/index.ts";
import type { PreparedCard } from "../cards/index.ts";
import { toJson } from "../envelope/index.ts";
import type { Route } from "../envelope/index.ts";
import type { Effect, OperationExample, OperationSpec, Origin } from "../operation/index.ts";
import { describeFields, describeInputs, inputWords } from "../schema/index.ts";
import { outsideText } from "../source/index.ts";
import type { Collision } from "../source/index.ts";
import type { Redactor } from "./redaction/index.ts";

/** The origin of a capability. Empty for functions of the program. */
interface Provenance {
  /** Name of the source. Absent for an operation of the program. */
  readonly source?: string;
  /** Who configured the source. Absent for an operation of the program. */
  readonly origin?: Origin;
  /**
   * False if calls are refused because the user does not trust the source yet. Absent if no
   * trust is needed.
   */
  readonly trusted?: boolean;
}

/** The minimum that an agent needs to call a capability. */
export interface OperationCardSummary extends Provenance {
  /** The id of the capability. */
  readonly capability_id: string;
  /** The purpose of the capability, in a sentence. */
  readonly purpose: string;
  /** The effect of the capability: read, write or destructive. */
  readonly effect: Effect;
  /** Required inputs, written as `name:type`, with allowed values. */
  readonly required_inputs: readonly string[];
  /** Optional inputs, with their types. */
  readonly optional_inputs: readonly string[];
  /** Fields of the answer, with their types. */
  readonly output_fields: readonly string[];
  /** The route that is tried first. */
  readonly preferred_route: Route;
  /** Routes that are tried if the first fails. */
  readonly fallback_routes: readonly Route[];
  /** The accounts that a call can choose from with the option `account`. Absent if there is one. */
  readonly accounts?: readonly string[];
  /** Notes to read before the first call. Absent if there are none. */
  readonly notes?: readonly string[];
  /** Example inputs that work. The compact text omits them. Absent if there are none. */
  readonly examples?: readonly OperationExample[];
}

/** A capability in a list. */
export interface CapabilityListItem extends Provenance {
  /** The id of the capability. */
  readonly capability_id: string;
  /** The purpose of the capability, in a sentence. */
  readonly description: string;
}

/** Uses only the first sentence, which is the purpose. */
function getPurpose(description: string): string {
  const [first = ""] = description.trim().split(/(?<=[.!?])\s|\n/u, 1);
  return first.trim();
}

/** Cuts a long purpose after a word, at 120 characters or less. */
function inALine(purpose: string): string {
  if (!/^.{121}/u.test(purpose)) return purpose;
  const [start = ""] = /^.{1,119}(?!\S)/u.exec(purpose) ?? /^.{1,119}/u.exec(purpose) ?? [];
  return `${start.trimEnd()}…`;
}

function getProvenance({ source, origin, needsTrust }: OperationSpec): Provenance {
  if (source === undefined) return {};
  return { source, ...(origin !== undefined && { origin }), trusted: needsTrust === undefined };
}

/** A note for an id that two sources have. */
function collisionNotes(id: string, collisions: readonly Collision[]): string[] {
  return collisions.flatMap((collision) => {
    const { source, holder, as } = collision;
    if (as === id) return [`${source} calls it ${collision.id}, but ${holder} already has that id`];
    return collision.id === id ? [`${source} has an operation of this id too: ${as}`] : [];
  });
}

export function summarise(
  spec: OperationSpec,
  routes: readonly Route[] = ["local"],
  collisions: readonly Collision[] = [],
): OperationCardSummary {
  const inputs = describeInputs(spec.inputSchema);
  const { needsTrust } = spec;
  const notes = [
    ...(needsTrust === undefined ? [] : [needsTrust]),
    ...(spec.notes ?? []),
    ...collisionNotes(spec.id, collisions),
  ];
  return {
    capability_id: spec.id,
    purpose: getPurpose(spec.description),
    effect: spec.effect,
    ...getProvenance(spec),
    required_inputs: inputs.required,
    optional_inputs: inputs.optional,
    output_fields: describeFields(spec.outputSchema),
    preferred_route: routes[0] ?? "local",
    fallback_routes: routes.slice(1),
    ...(notes.length > 0 && { notes }),
    ...(spec.examples !== undefined && { examples: spec.examples }),
  };
}

/** Explains a card of a pack without creating a Waybill. */
export function explainCard(card: PreparedCard, pack: string): OperationCardSummary {
  const spec: OperationSpec = { ...cardSpec(card), source: pack, origin: "pack" };
  return summarise(spec, card.order.length === 0 ? undefined : card.order);
}

/** Kept short, because this text appears in most explanations. */
const ORIGIN_TEXTS: Readonly<Record<Origin, (source: string) => string>> = {
  program: (source) => source,
  pack: (source) => `builtin ${source}`,
  user: (source) => `${source}, your configuration`,
  project: (source) => `${source}, this project, trusted`,
};

/** The origin of a capability, in a few words. Undefined for functions of the program. */
export function sourceText({ source, origin, trusted }: Provenance): string | undefined {
  if (source === undefined) return undefined;
  if (trusted === false) return `${source}, needs trust`;
  return ORIGIN_TEXTS[origin ?? "program"](source);
}

const MAX_SHOWN = 2_000;

/** The params of a call as a person sees them before approving it. */
export function shownParams(params: unknown, redactor: Redactor): string {
  return outsideText(JSON.stringify(toJson(redactor.value(params)).value), MAX_SHOWN);
}

/** The signature of a call in one line: `issue.view(owner, name, number:integer, include?)`. */
export function signatureText({ id, inputSchema }: OperationSpec): string {
  return `${id}(${inputWords(describeInputs(inputSchema)).join(", ")})`;
}

/**
 * If an answer has more fields than this, they are shown without types, so that an explanation
 * stays short.
 */
const MAX_FIELDS = 350;

function outputText(fields: readonly string[]): string {
  const text = fields.join(", ");
  return text.length > MAX_FIELDS ? text.replaceAll(/:(?!\{)[^,{}[\]]+(?:\[\])*/gu, "") : text;
}

/** The same information as a few lines of text for an agent. */
export function explainText(summary: OperationCardSummary): string {
  const { required_inputs, optional_inputs, output_fields, notes = [] } = summary;
  const inputs = inputWords({ required: [...required_inputs], optional: [...optional_inputs] });
  const routes = [summary.preferred_route, ...summary.fallback_routes];
  const source = sourceText(summary);
  return [
    `${summary.capability_id} (${summary.effect}) ${summary.purpose}`,
    `in: ${inputs.join(", ") || "nothing"}`,
    `out: ${outputText(output_fields) || "anything"}`,
    `via: ${routes.join(", ")}${source === undefined ? "" : ` (${source})`}`,
    ...(summary.accounts === undefined ? [] : [`options.account: ${summary.accounts.join(", ")}`]),
    ...notes.map((text) => `note: ${text}`),
  ].join("\n");
}

export function toListItem(spec: OperationSpec): CapabilityListItem {
  const description = inALine(getPurpose(spec.description));
  return { capability_id: spec.id, description, ...getProvenance(spec) };
}
