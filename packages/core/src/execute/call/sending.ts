import type { CallError, Outcome } from "../../envelope/index.ts";
import type { SendHooks } from "../../router/index.ts";

/**
 * Knows whether anything of a write may have left. A route that hangs cannot be asked how far it
 * came, and once its call was given up as not sent it must not send after all.
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

  /** The call ends without its route: what is known of its effect is whether it was sent. */
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
