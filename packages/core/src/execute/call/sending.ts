import type { CallError, Outcome } from "../../envelope/index.ts";
import type { SendHooks } from "../../router/index.ts";

/**
 * Records whether a part of a write may have been sent, because a hanging route cannot say how
 * far it got. If its call ended as not sent, the route may not send anything any more.
 */
export class Sending implements SendHooks {
  readonly #hooks: SendHooks;
  #hasLeft = false;
  #wasUnknown = false;
  #givenUp: CallError | undefined;

  constructor(hooks: SendHooks) {
    this.#hooks = hooks;
  }

  get isDoubtful(): boolean {
    return this.#hooks.isDoubtful === true;
  }

  async beforeSend(trail?: string): Promise<void> {
    this.#assertWanted();
    await this.#hooks.beforeSend(trail);
    this.#assertWanted();
    this.#hasLeft = true;
  }

  async onAgain(outcome: Outcome): Promise<void> {
    this.#wasUnknown ||= outcome !== "not_applied";
    this.#hasLeft = this.#wasUnknown;
    await this.#hooks.onAgain(outcome);
  }

  /** Ends the call without its route. The outcome depends on whether anything was sent. */
  giveUp(error: CallError): CallError {
    this.#givenUp = error.with({
      outcome: this.#hasLeft || this.isDoubtful ? "unknown" : "not_applied",
    });
    return this.#givenUp;
  }

  #assertWanted(): void {
    if (this.#givenUp !== undefined) throw this.#givenUp;
  }
}
