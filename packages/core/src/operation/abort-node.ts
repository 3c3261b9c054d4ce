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
    if (!this.#abortAlone(error)) return;
    // A list rather than recursion: calls may nest deeper than the stack. A child stays attached
    // until its turn, so that one that ends while another is told is not told any more.
    const open: AbortNode[] = [this];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      const child = node.#firstChild;
      if (child === undefined) {
        open.pop();
      } else {
        node.detach(child);
        if (child.#abortAlone(error)) open.push(child);
      }
    }
  }

  /** False when it was aborted before. */
  #abortAlone(error: CallError): boolean {
    if (this.#aborted !== undefined) return false;
    this.#aborted = error;
    this.onAbort(error);
    return true;
  }

  protected abstract onAbort(error: CallError): void;
}
