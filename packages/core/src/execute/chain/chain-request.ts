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
  /** Why the options are invalid. */
  readonly refusal?: CallError | undefined;
  readonly onError?: ChainOptions["on_error"] | undefined;
  readonly mergeWrites?: boolean | undefined;
  readonly isDry: boolean;
  readonly isTraced?: boolean | undefined;
  /** Whether rarely needed fields are left out. */
  readonly isBrief?: boolean | undefined;
  /** The key of the chain. Each write uses it together with the step's id. */
  readonly key?: string | undefined;
  /** The account for steps that do not name one. */
  readonly account?: string | undefined;
  /** The deadline of the whole chain: a slow step leaves less time for later ones. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxTokens?: number | undefined;
  /** The call of the card that these steps belong to. It was approved as a whole. */
  readonly whole?: Call;
  /** Set for the calls of a program. Returns the request of a single call. */
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
    // A trace shows all fields.
    isBrief: options.brief === true && options.trace !== true,
    key: options.idempotency_key,
    account: options.account,
    deadline: deadline_ms === undefined ? undefined : Date.now() + deadline_ms,
    signal: options.signal,
    maxTokens: options.max_tokens,
  };
}
