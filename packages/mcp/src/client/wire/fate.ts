/** An error that the server sent, as against one that a client invented. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** The answer could not be read, and the next would be the same. */
  readonly final?: true;
}

/** How far a request came; decides whether a write may have been applied. */
export interface Fate {
  /** It was handed to the transport. */
  isSent: boolean;
  /** A result came back for it. */
  isAnswered: boolean;
  rpcError: RpcError | undefined;
  /** Its answer can no longer come. */
  isLost: boolean;
  /** Its answer was longer than allowed. */
  isTooLarge: boolean;
  /** Where its result has integers that a number cannot hold. */
  integers: readonly string[];
}

export function newFate(): Fate {
  return {
    isSent: false,
    isAnswered: false,
    rpcError: undefined,
    isLost: false,
    isTooLarge: false,
    integers: [],
  };
}
