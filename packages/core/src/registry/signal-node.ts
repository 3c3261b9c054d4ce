import { AbortNode } from "../operation/index.ts";
import { isRecord } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";

/**
 * Connects a call to a signal. A separate node is needed, because the call may already have a
 * parent.
 */
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

/** All calls that one signal aborts. */
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
 * Aborts a call when the signal aborts, until the returned function is called. All calls of a
 * signal share one listener, because a listener per call costs several times as much as a local
 * call.
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

/** Node's function that raises the limit of listeners. Browsers have no such limit. */
const setMaxListeners = ((): unknown => {
  const node: unknown = Reflect.get(globalThis, "process");
  if (!isRecord(node) || typeof node["getBuiltinModule"] !== "function") return undefined;
  const events: unknown = node["getBuiltinModule"]("events");
  return isRecord(events) || typeof events === "function"
    ? Reflect.get(events, "setMaxListeners")
    : undefined;
})();

/**
 * The signal of a call. It allows many listeners, because every request of the call adds one,
 * and a list may need many requests.
 */
export function callController(): AbortController {
  const controller = new AbortController();
  if (typeof setMaxListeners === "function") setMaxListeners(0, controller.signal);
  return controller;
}
