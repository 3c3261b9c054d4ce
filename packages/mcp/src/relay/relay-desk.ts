import { fail } from "@waybill/core";
import { cleanQuestion } from "./clean-question.ts";
import type { RelayedQuestion, Talk } from "./relayed-messages.ts";

type Params = RelayedQuestion["params"];

/**
 * Passes a server's questions to the client whose calls are running. A question does not say to
 * which call it belongs, so it is passed on only while all running calls are of one client.
 */
export class RelayDesk {
  readonly #source: string;
  /** One entry for each running call. The calls of a chain share one object. */
  readonly #calls = new Set<{ readonly talk: Talk }>();

  constructor(source: string) {
    this.#source = source;
  }

  async during<T>(talk: Talk | undefined, work: () => Promise<T>): Promise<T> {
    if (talk === undefined) return work();
    const call = { talk };
    this.#calls.add(call);
    try {
      return await work();
    } finally {
      this.#calls.delete(call);
    }
  }

  async ask(method: RelayedQuestion["method"], params: unknown): Promise<Record<string, unknown>> {
    const question = { method, params: this.#named(cleanQuestion(params)) };
    return this.#talk().ask(question);
  }

  #talk(): Talk {
    const [talk, ...others] = [...this.#calls].map((call) => call.talk);
    if (talk === undefined)
      throw this.#refusal(
        "no client is calling, so nobody can answer. Call a tool, then it can ask",
      );
    if (others.every(({ client }) => client === talk.client)) return talk;
    throw this.#refusal(
      "several clients are calling it, so Waybill cannot tell which one to ask. Call it when no other client does",
    );
  }

  #refusal(why: string): Error {
    return fail("ADAPTER_UNSUPPORTED", `${this.#source} asks a question, but ${why}`);
  }

  /** Adds the name of the server, so that the person sees who asks. */
  #named(params: Params): Params {
    const { message } = params;
    return typeof message === "string"
      ? { ...params, message: `${this.#source}: ${message}` }
      : params;
  }
}
