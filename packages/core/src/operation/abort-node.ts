import type { CallError } from "../envelope/index.ts";

/**
 * One call in the tree of calls. Aborting a call aborts the calls that it started. An AbortSignal
 * costs more than a whole local call, so it is created only when it is read.
 */
export abstract class AbortNode {
  #aborted: CallError | undefined;
  // The children form a linked list. A Set for each call would be the most expensive part of the
  // call.
  #firstChild: AbortNode | undefined;
  #next: AbortNode | undefined;
  #previous: AbortNode | undefined;

  /** The reason of the abort, if this call was aborted. */
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
    // Uses a list instead of recursion, because calls may nest deeper than the stack. A child
    // stays attached until it is aborted, so that a child that ends in the meantime is not
    // aborted.
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

  /** Returns false if the call was already aborted. */
  #abortAlone(error: CallError): boolean {
    if (this.#aborted !== undefined) return false;
    this.#aborted = error;
    this.onAbort(error);
    return true;
  }

  protected abstract onAbort(error: CallError): void;
}
