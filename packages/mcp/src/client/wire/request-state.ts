/** An error that the server sent, as opposed to an error of the client. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Set if the answer could not be read, and a repeat would give the same answer. */
  readonly final?: true;
}

/** How far a request got. It decides whether a write may have been applied. */
export interface RequestState {
  /** Whether the request was passed to the transport. */
  isSent: boolean;
  /** Whether a result of the request was received. */
  isAnswered: boolean;
  rpcError: RpcError | undefined;
  /** Whether the answer of the request can no longer arrive. */
  isLost: boolean;
  /** Whether the answer of the request was longer than allowed. */
  isTooLarge: boolean;
  /** Paths in the result with integers that are too large for a number. */
  integers: readonly string[];
}

export function newRequestState(): RequestState {
  return {
    isSent: false,
    isAnswered: false,
    rpcError: undefined,
    isLost: false,
    isTooLarge: false,
    integers: [],
  };
}
