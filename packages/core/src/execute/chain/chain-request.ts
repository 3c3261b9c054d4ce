import type { ChainStep } from "../../cards/index.ts";
import { errorFromUnknown } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import type { Identity } from "../../operation/index.ts";
import type { Call, CallRequest } from "../call/call.ts";
import { assertChainOptions } from "./chain-options.ts";
import type { ChainOptions } from "./chain-options.ts";

/** Many calls in one request. */
export interface ChainRequest {
  readonly steps: readonly ChainStep[];
  readonly identity: Identity | undefined;
  /** Why the options cannot be used. */
  readonly refusal?: CallError | undefined;
  readonly onError?: ChainOptions["on_error"] | undefined;
  readonly mergeWrites?: boolean | undefined;
  readonly isDry: boolean;
  readonly isTraced?: boolean | undefined;
  /** Each write uses this key, combined with the step's id. */
  readonly key?: string | undefined;
  /** Used by each step that does not name one. */
  readonly account?: string | undefined;
  /** The deadline of the whole chain: a slow step leaves less time for later ones. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxTokens?: number | undefined;
  /** The call that consists of these steps. It was approved as a whole. */
  readonly whole?: Call;
  /** Set for the calls of a program: returns the request of a single call. */
  readonly asked?: ((index: number) => CallRequest) | undefined;
}

/** Converts options to a request. The deadline starts now. */
export function chainRequest(
  steps: readonly ChainStep[],
  options: ChainOptions,
  identity: Identity | undefined,
): ChainRequest {
  try {
    assertChainOptions(options);
  } catch (thrown) {
    return { steps, identity, isDry: false, refusal: errorFromUnknown(thrown) };
  }
  const { deadline_ms } = options;
  return {
    steps,
    identity,
    onError: options.on_error,
    mergeWrites: options.merge_writes,
    isDry: options.dry_run === true,
    isTraced: options.trace,
    key: options.idempotency_key,
    account: options.account,
    deadline: deadline_ms === undefined ? undefined : Date.now() + deadline_ms,
    signal: options.signal,
    maxTokens: options.max_tokens,
  };
}
