import type { IncomingMessage } from "node:http";
import type { Face, FieldFault } from "./faults.ts";
import type { Intent, Store } from "./store.ts";

/** A request as the upstream understands it, whichever face it came to. */
export interface Asked {
  readonly face: Face;
  readonly intents: readonly Intent[];
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

const FIELD = /(?:(\w+):)?\b(createNote|setNote|notes|note)\(([^)]*)\)/gu;
const ARGUMENT = /(\w+):\$(\w+)/gu;

function readArguments(list: string, variables: Readonly<Record<string, string>>): Intent["args"] {
  const args: Record<string, string> = {};
  for (const [, name, variable] of list.matchAll(ARGUMENT)) args[name!] = variables[variable!]!;
  return args;
}

function readDocument(body: string): Intent[] {
  const { query, variables } = JSON.parse(body) as {
    query: string;
    variables: Record<string, string>;
  };
  return Array.from(query.matchAll(FIELD), ([, alias, verb, list]) => ({
    verb: verb as Intent["verb"],
    alias: alias ?? verb!,
    args: readArguments(list!, variables),
  }));
}

function readRest(request: IncomingMessage, body: string): Intent {
  const [path = ""] = (request.url ?? "").split("?");
  const [, first, name = "", , last = ""] = path.split("/").map(decodeURIComponent);
  const key = request.headers["idempotency-key"]?.toString();
  if (first === "notes") return { verb: "note", alias: "note", args: { id: name } };
  if (request.method === "GET") return { verb: "notes", alias: "notes", args: { shelf: name } };
  const { text = last } = JSON.parse(body) as { text?: string };
  const verb = request.method === "PUT" ? "setNote" : "createNote";
  return { verb, alias: verb, args: { shelf: name, text }, key };
}

export function read(request: IncomingMessage, body: string): Asked {
  return request.url?.startsWith("/graphql") === true
    ? { face: "graphql", intents: readDocument(body) }
    : { face: "rest", intents: [readRest(request, body)] };
}

/** Does what was asked for and says so. */
export function perform({ face, intents }: Asked, store: Store): Reply {
  const results = intents.map((intent) => [intent.alias, store.perform(intent)] as const);
  if (face === "graphql") {
    return { status: 200, body: JSON.stringify({ data: Object.fromEntries(results) }) };
  }
  const status = intents[0]!.verb === "createNote" ? 201 : 200;
  return { status, body: JSON.stringify(results[0]![1]) };
}

type Errors = readonly object[];

function answered(data: unknown, errors: Errors): Reply {
  return { status: 200, body: JSON.stringify({ ...(data !== undefined && { data }), errors }) };
}

function errorsFor(how: FieldFault, alias: string): Errors {
  switch (how) {
    case "rejected":
      return [{ message: "no", path: ["mutation", alias], extensions: { code: "undefinedField" } }];
    case "rate-limited":
      return [{ message: "too many", type: "RATE_LIMITED" }];
    case "root-error":
    case "root-null":
      return [{ message: "taken", type: "UNPROCESSABLE", path: [alias] }];
    case "root-forbidden":
      return [{ message: "not yours", type: "FORBIDDEN", path: [alias] }];
    case "root-vague":
      return [{ message: "Something went wrong while executing your query.", path: [alias] }];
    case "below-root":
    case "below-root-kept":
      return [{ message: "lost", type: "SERVICE", path: [alias, "shelf", "name"] }];
    case "pathless":
      return [{ message: "Something went wrong while executing your query." }];
  }
}

/**
 * A GraphQL answer with errors. They concern the first root field; the others are done, except
 * where the whole document ends with it.
 */
export function fieldReply(
  how: FieldFault,
  applies: boolean,
  { intents }: Asked,
  store: Store,
): Reply {
  const [first, ...others] = intents as [Intent, ...Intent[]];
  const errors = errorsFor(how, first.alias);
  const isWhole = ["rejected", "rate-limited", "root-null", "pathless"].includes(how);
  const done = [...(applies ? [first] : []), ...(isWhole && !applies ? [] : others)];
  const results = new Map(done.map((intent) => [intent.alias, store.perform(intent)]));
  if (how === "rejected" || how === "rate-limited") return answered(undefined, errors);
  if (isWhole) return answered(null, errors);
  if (how !== "below-root-kept") results.delete(first.alias);
  const data = intents.map(({ alias }) => [alias, results.get(alias) ?? null] as const);
  return answered(Object.fromEntries(data), errors);
}
