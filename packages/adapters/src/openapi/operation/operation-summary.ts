import type { Effect, OperationSummary } from "@waybill/core";
import { plainText } from "../document/plain-text.ts";
import { bodyKind } from "./media-types.ts";
import type { OperationLocation } from "./operation-index.ts";
import { operationKeys, parameterNames } from "./operation-model.ts";
import { operationResponses } from "./operation-responses.ts";
import type { Specification } from "../document/specification.ts";

/** The user's corrections to the description of an operation. */
export interface OperationOverride {
  readonly effect?: Effect;
  readonly idempotent?: boolean;
  readonly description?: string;
  /** Whether lists show the operation. A hidden operation can still be found and called. */
  readonly exposed?: boolean;
  /** The header in which the upstream accepts an idempotency key. */
  readonly idempotencyHeader?: string;
}

const READS = new Set(["get", "head", "options", "trace", "query"]);
const REPEATABLE = new Set([...READS, "put", "delete"]);
const MAX_DESCRIPTION = 2_000;

function getEffect(method: string): Effect {
  if (READS.has(method)) return "read";
  return method === "delete" ? "destructive" : "write";
}

/** Whether the only documented response is a stream of events. */
function isSubscription({ document }: Specification, place: OperationLocation): boolean {
  const responses = document.at([...operationKeys(place), "responses"]);
  const types = operationResponses(document, responses, undefined).success.map(
    ({ mediaType }) => mediaType ?? "",
  );
  return types.length > 0 && types.every((type) => type !== "" && bodyKind(type) === "events");
}

/** The summary of an operation. Its description is read only when needed. */
export class PlaceSummary implements OperationSummary {
  readonly id: string;
  readonly effect: Effect;
  readonly idempotent: boolean;
  readonly kind: OperationSummary["kind"];
  readonly exposed: boolean;
  /** Whether only an override of the user says that the operation reads. */
  readonly safe: boolean;
  readonly #specification: Specification;
  readonly #place: OperationLocation;
  readonly #override: OperationOverride;

  constructor(
    source: string,
    specification: Specification,
    place: OperationLocation,
    override: OperationOverride,
    mayHaveEvents: boolean,
  ) {
    this.id = `${source}.${place.name}`;
    this.effect = override.effect ?? getEffect(place.method);
    this.safe = this.effect === "read" && getEffect(place.method) !== "read";
    this.idempotent = override.idempotent ?? REPEATABLE.has(place.method);
    this.kind = mayHaveEvents && isSubscription(specification, place) ? "subscription" : "call";
    this.exposed = override.exposed ?? true;
    this.#specification = specification;
    this.#place = place;
    this.#override = override;
  }

  get description(): string {
    const { document } = this.#specification;
    const keys = operationKeys(this.#place);
    const words = ["summary", "description"].map((name) => document.at([...keys, name]));
    const given = [this.#override.description, ...words].find(
      (text): text is string => typeof text === "string" && text.trim() !== "",
    );
    const { method, path } = this.#place;
    return plainText(given ?? "").slice(0, MAX_DESCRIPTION) || `${method.toUpperCase()} ${path}`;
  }

  get parameters(): readonly string[] {
    return parameterNames(this.#specification, this.#place);
  }
}
