import type { IncomingMessage } from "node:http";
import type { Face, FieldFault } from "./faults.ts";
import { isPaged } from "./store.ts";
import type { Intent, Store } from "./store.ts";

/** A request as the upstream understands it, through any of its APIs. */
export interface Asked {
  readonly face: Face;
  readonly intents: readonly Intent[];
}

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const FIELD = /(?:(\w+):)?\b(createNote|setNote|notes|note|shelfOf)\(([^)]*)\)/gu;
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
  if (first === "viewer") return { verb: "viewer", alias: "viewer", args: {} };
  if (first === "lookups") return { verb: "shelfOf", alias: "shelfOf", args: { name } };
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

function getField(intent: Intent, store: Store): unknown {
  const done = store.perform(intent);
  if (intent.verb !== "notes" || !Array.isArray(done)) return done;
  return { nodes: done, pageInfo: { hasNextPage: isPaged(intent) } };
}

/** Performs the request and returns its answer. */
export function perform({ face, intents }: Asked, store: Store): Reply {
  if (face === "graphql") {
    const data = intents.map((intent) => [intent.alias, getField(intent, store)] as const);
    return { status: 200, body: JSON.stringify({ data: Object.fromEntries(data) }) };
  }
  const [intent] = intents as [Intent];
  const done = store.perform(intent);
  if (done === null) return { status: 404, body: '{"message":"Not Found"}' };
  const status = intent.verb === "createNote" ? 201 : 200;
  const body = JSON.stringify(done);
  const link = `<https://upstream/shelves?page=2>; rel="next"`;
  return { status, body, headers: isPaged(intent) ? { link } : {} };
}

type Errors = readonly object[];

function answered(data: unknown, errors: Errors): Reply {
  return { status: 200, body: JSON.stringify({ ...(data !== undefined && { data }), errors }) };
}

function errorsFor(how: FieldFault, alias: string): Errors {
  switch (how) {
    case "rejected-400":
      return [{ message: "no", extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }];
    case "rejected":
      return [{ message: "no", path: ["mutation", alias], extensions: { code: "undefinedField" } }];
    case "remark":
      return [{ message: "createNote is deprecated" }];
    case "rate-limited":
    case "limited-beside":
    case "limited-null":
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
 * A GraphQL answer with errors for the first root field. The other fields are executed, unless the
 * error ends the whole document.
 */
export function fieldReply(
  how: FieldFault,
  applies: boolean,
  { intents }: Asked,
  store: Store,
): Reply {
  const [first, ...others] = intents as [Intent, ...Intent[]];
  const errors = errorsFor(how, first.alias);
  const isRejected = ["rejected", "rejected-400", "rate-limited"].includes(how);
  const isWhole = isRejected || how === "root-null" || how === "pathless";
  const done = [...(applies ? [first] : []), ...(isWhole && !applies ? [] : others)];
  const results = new Map(done.map((intent) => [intent.alias, getField(intent, store)]));
  if (isRejected)
    return { ...answered(undefined, errors), status: how === "rejected-400" ? 400 : 200 };
  if (isWhole) return answered(null, errors);
  const isKept = ["below-root-kept", "remark", "limited-beside"].includes(how);
  if (!isKept) results.delete(first.alias);
  const data = intents.map(({ alias }) => [alias, results.get(alias) ?? null] as const);
  return answered(Object.fromEntries(data), errors);
}
