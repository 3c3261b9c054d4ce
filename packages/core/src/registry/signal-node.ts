import { AbortNode } from "../operation/index.ts";
import { isRecord } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";

/** Hangs on a signal instead of a call, which may hang on a call of its own already. */
class Link extends AbortNode {
  readonly #target: AbortNode;

  constructor(target: AbortNode) {
    super();
    this.#target = target;
  }

  protected override onAbort(error: CallError): void {
    this.#target.abort(error);
  }
}

/** All calls that end with one signal. */
class SignalNode extends AbortNode {
  protected override onAbort(): void {}
}

const nodes = new WeakMap<AbortSignal, SignalNode>();

function getNode(signal: AbortSignal, errorOf: (reason: unknown) => CallError): SignalNode {
  const known = nodes.get(signal);
  if (known !== undefined) return known;
  const node = new SignalNode();
  signal.addEventListener("abort", () => node.abort(errorOf(signal.reason)), { once: true });
  nodes.set(signal, node);
  return node;
}

/**
 * Aborts a call with a signal until the returned function is called. A listener for each call costs
 * several times what a local call does, so a signal has one, whatever the number of its calls.
 */
export function abortWith(
  signal: AbortSignal,
  target: AbortNode,
  errorOf: (reason: unknown) => CallError,
): () => void {
  const node = getNode(signal, errorOf);
  const link = new Link(target);
  node.attach(link);
  return () => node.detach(link);
}

/** Node's own way to say how many listeners are no leak; a browser needs none. */
const setMaxListeners = ((): unknown => {
  const node: unknown = Reflect.get(globalThis, "process");
  if (!isRecord(node) || typeof node["getBuiltinModule"] !== "function") return undefined;
  const events: unknown = node["getBuiltinModule"]("events");
  return isRecord(events) || typeof events === "function"
    ? Reflect.get(events, "setMaxListeners")
    : undefined;
})();

/** The signal of a call: every request of it listens, and those of a list are many. */
export function callController(): AbortController {
  const controller = new AbortController();
  if (typeof setMaxListeners === "function") setMaxListeners(0, controller.signal);
  return controller;
}
