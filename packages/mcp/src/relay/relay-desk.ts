import { fail } from "@waybill/core";
import { cleanQuestion } from "./clean-question.ts";
import type { RelayedQuestion, Talk } from "./relayed-messages.ts";

type Params = RelayedQuestion["params"];

/**
 * Passes a server's questions to the client whose call is running. A question does not say to which
 * call it belongs, so it is passed on only while a single call is running.
 */
export class RelayDesk {
  readonly #source: string;
  readonly #talks = new Set<Talk>();

  constructor(source: string) {
    this.#source = source;
  }

  async during<T>(talk: Talk | undefined, work: () => Promise<T>): Promise<T> {
    if (talk === undefined) return work();
    this.#talks.add(talk);
    try {
      return await work();
    } finally {
      this.#talks.delete(talk);
    }
  }

  async ask(method: RelayedQuestion["method"], params: unknown): Promise<Record<string, unknown>> {
    const [talk, ...others] = this.#talks;
    if (talk === undefined || others.length > 0) {
      const why =
        talk === undefined
          ? "no call of a client is running that could answer it"
          : "several calls are running, so it is not known which client to ask";
      throw fail("ADAPTER_UNSUPPORTED", `${this.#source} asks a question, but ${why}`);
    }
    return talk.ask({ method, params: this.#named(cleanQuestion(params)) });
  }

  /** Adds the name of the server, so that the person sees who asks. */
  #named(params: Params): Params {
    const { message } = params;
    return typeof message === "string"
      ? { ...params, message: `${this.#source}: ${message}` }
      : params;
  }
}
