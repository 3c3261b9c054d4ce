import type { ResponseEnvelope } from "../envelope/index.ts";

/** Anything that can call operations: a handler's context, a registry, or a remote Waybill. */
export interface OperationCaller {
  /** Calls an operation by id. Throws a CallError if it fails. */
  call(operationId: string, input?: unknown): Promise<ResponseEnvelope>;
}

type OperationFunction = (input?: unknown) => Promise<ResponseEnvelope>;

/** Operations as functions: `env.issue.view(params)`, `env["pr.merge"].status(params)`. */
export type OperationEnv = OperationCaller & {
  readonly [namespace: string]: { readonly [name: string]: OperationFunction };
};

/** Members that JavaScript reads when a value is awaited, printed or converted to a string. */
const ASKED_BY_THE_LANGUAGE = new Set(["then", "toJSON", "toString", "valueOf"]);

function isOperationName(key: string | symbol): key is string {
  return typeof key === "string" && !ASKED_BY_THE_LANGUAGE.has(key);
}

function getNamespace(caller: OperationCaller, namespace: string): object {
  return new Proxy(Object.create(null) as object, {
    get(_target, name) {
      if (!isOperationName(name)) return undefined;
      return (input?: unknown) => caller.call(`${namespace}.${name}`, input);
    },
  });
}

/**
 * Returns operations as functions that use the given caller. With a handler's context, the calls
 * have the identity, deadline and request id of that context.
 */
export function buildEnv(caller: OperationCaller): OperationEnv {
  const namespaces = new Map<string, object>();
  const call: OperationCaller["call"] = (id, input) => caller.call(id, input);
  return new Proxy(Object.create(null) as OperationEnv, {
    get(_target, key) {
      if (!isOperationName(key)) return undefined;
      if (key === "call") return call;
      const known = namespaces.get(key) ?? getNamespace(caller, key);
      namespaces.set(key, known);
      return known;
    },
  });
}
