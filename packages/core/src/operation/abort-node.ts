import type { CallError } from "../envelope/index.ts";

/**
 * One call in the tree of calls. Aborting a call aborts what it started. An AbortSignal could say
 * the same but costs more to make than a whole local call, so it is made only for who asks.
 */
export abstract class AbortNode {
  #aborted: CallError | undefined;
  // Children are linked through themselves: a set per call would be the dearest part of the call.
  #firstChild: AbortNode | undefined;
  #next: AbortNode | undefined;
  #previous: AbortNode | undefined;

  /** Why this call was aborted, once it was. */
  get aborted(): CallError | undefined {
    return this.#aborted;
  }

  attach(child: AbortNode): void {
    if (this.#aborted !== undefined) {
      child.abort(this.#aborted);
      return;
    }
    child.#next = this.#firstChild;
    if (this.#firstChild !== undefined) this.#firstChild.#previous = child;
    this.#firstChild = child;
  }

  detach(child: AbortNode): void {
    if (this.#firstChild === child) this.#firstChild = child.#next;
    if (child.#previous !== undefined) child.#previous.#next = child.#next;
    if (child.#next !== undefined) child.#next.#previous = child.#previous;
    child.#next = undefined;
    child.#previous = undefined;
  }

  abort(error: CallError): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = error;
    this.onAbort(error);
    while (this.#firstChild !== undefined) {
      const child = this.#firstChild;
      this.detach(child);
      child.abort(error);
    }
  }

  protected abstract onAbort(error: CallError): void;
}
