import { AsyncLocalStorage } from "node:async_hooks";

/** Progress of a tool of another server. */
export interface RelayedProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A question of another server, unchanged. */
export interface RelayedQuestion {
  readonly method: "elicitation/create" | "sampling/createMessage";
  readonly params: Readonly<Record<string, unknown>>;
}

/** Messages that a called server can send to the client that made the call: progress and questions. */
export interface Talk {
  /** The same object for all calls of one client. */
  readonly client: object;
  readonly onProgress: (progress: RelayedProgress) => void;
  /** Asks the client. Resolves with the result that the other server expects. */
  readonly ask: (question: RelayedQuestion) => Promise<Record<string, unknown>>;
}

const talks = new AsyncLocalStorage<Talk>();

/** Runs a call for a client. */
export function talkingTo<T>(talk: Talk, run: () => Promise<T>): Promise<T> {
  return talks.run(talk, run);
}

/** The client that made the current call. Undefined if no client made it. */
export function currentTalk(): Talk | undefined {
  return talks.getStore();
}
