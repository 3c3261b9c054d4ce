import { isRecord } from "../envelope/index.ts";
import { partRequest } from "./build-request.ts";
import type { ProbeApi, VerifyKind } from "./card.ts";
import { evaluate, holds, readUses } from "./mapping/index.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
import { pathMappings } from "./read-path.ts";
import type { CardRequest, CardScope } from "./request.ts";
import { inputScope, mapAnswer, mapInput, outputScope } from "./scope.ts";

/** The requests that one API needs to find out whether a write was applied. */
export interface ProbeRequest {
  readonly api: ProbeApi;
  readonly request: CardRequest;
  /**
   * Sent if the object is missing and the first answer does not show that its container can be
   * read.
   */
  readonly container?: CardRequest;
  /** Whether two requests are needed to show that the write was applied. */
  readonly needsTwo: boolean;
  /** Whether this read is used only if the other API fails. */
  readonly isFallback: boolean;
}

/** The result of reading whether a write was applied. */
export interface ProbeAnswer {
  /** The objects that were read: a list, one object, or null. */
  readonly value: unknown;
  /**
   * Whether the container of the object could be read. Undefined if this answer does not show it.
   */
  readonly container?: boolean;
  readonly viewer?: string;
}

/** How to check whether a write was applied. */
export interface VerifyProbe {
  readonly kind: VerifyKind;
  /** The card's own requests. If there are none, the capability in `read` is called. */
  readonly reads: readonly ProbeRequest[];
  readonly capability?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The fields that identify the written object. */
  readonly same: Readonly<Record<string, unknown>>;
  /** Fields of `same` whose value is not known. A match without them is weaker proof. */
  readonly missing: readonly string[];
  /** Whether `same` uses the caller's login. */
  readonly needsViewer: boolean;
  readonly created?: string;
  readonly authoritative: boolean;
  /**
   * The field that identifies objects. It is also read before the write, to know which objects
   * existed.
   */
  readonly before?: string;
}

function probeRequests(
  { verify }: PreparedCard,
  input: ReturnType<typeof inputScope>,
): ProbeRequest[] {
  return (["graphql", "rest"] as const).flatMap((api) => {
    const probe = verify?.[api];
    if (probe === undefined) return [];
    const { request, containerRequest: container, second, when } = probe;
    if (when !== undefined && !holds(when, input)) return [];
    return [
      {
        api,
        request: partRequest(request, input),
        ...(container !== undefined && { container: partRequest(container, input) }),
        isFallback: probe.fallback === true,
        needsTwo: second !== undefined || (verify!.kind === "gone" && container !== undefined),
      },
    ];
  });
}

function usesViewer(same: PreparedMapping): boolean {
  return readUses(same, true).some(({ keys }) => keys[0] === "viewer");
}

/**
 * How to check whether a call was applied. Undefined if the card does not say. `viewer` is taken
 * from `env.viewer`.
 */
export function verifyProbe(card: PreparedCard, scope: CardScope): VerifyProbe | undefined {
  const { verify } = card;
  if (verify === undefined) return undefined;
  return mapInput(card, () => {
    const input = inputScope(card, scope);
    if (verify.when !== undefined && !holds(verify.when, input)) return undefined;
    const reads = probeRequests(card, input);
    if (reads.length === 0 && verify.capability === undefined) return undefined;
    const viewer = scope.env?.["viewer"];
    const root = { ...(input.value as object), ...(viewer !== undefined && { viewer }) };
    const params = evaluate(verify.params, input).value;
    const { value: same, missing } = evaluate(verify.same, { ...input, value: root });
    return {
      kind: verify.kind,
      reads,
      ...(verify.capability === undefined ? {} : { capability: verify.capability }),
      params: isRecord(params) ? params : {},
      same: isRecord(same) ? same : {},
      missing,
      needsViewer: usesViewer(verify.same),
      ...(verify.created === undefined ? {} : { created: verify.created }),
      authoritative: verify.authoritative === true,
      ...(verify.before === undefined ? {} : { before: verify.before }),
    };
  });
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** The second request of the check. Undefined if the first answer needs none. */
export function secondProbeRequest(
  card: PreparedCard,
  api: ProbeApi,
  payload: unknown,
  scope: CardScope,
): CardRequest | undefined {
  const second = card.verify?.[api]?.second;
  if (second === undefined) return undefined;
  const answer = outputScope(card, payload, scope);
  return mapAnswer(card, "the probe", () => {
    const isKnown = pathMappings(second.path).every((part) =>
      isThere(evaluate(part, answer).value),
    );
    return isKnown ? partRequest(second, answer) : undefined;
  });
}

/** Reads the response to the request that checks the outcome. */
export function readProbe(
  card: PreparedCard,
  api: ProbeApi,
  payload: unknown,
  scope: CardScope,
  second: unknown = null,
): ProbeAnswer {
  const probe = card.verify![api]!;
  const answers = probe.second === undefined ? payload : { first: payload, second };
  const answer = outputScope(card, answers, scope);
  return mapAnswer(card, "the probe", () => {
    const { value } = evaluate(probe.value, answer);
    const { container, viewer } = probe;
    const login = viewer === undefined ? undefined : evaluate(viewer, answer).value;
    return {
      value: value ?? null,
      ...(container !== undefined && { container: isThere(evaluate(container, answer).value) }),
      ...(typeof login === "string" && { viewer: login }),
    };
  });
}

/** The output that the write would have returned, computed from the object that was found. */
export function verifiedOutput(card: PreparedCard, scope: CardScope, found: unknown): unknown {
  const output = card.verify?.output;
  return output === undefined ? found : evaluate(output, outputScope(card, found, scope)).value;
}
