import { CallError, fail, oneRouteOperation } from "@waybill/core";
import type {
  Attempt,
  GraphqlRequest,
  Operation,
  OneRoute,
  OperationSummary,
  RouteAnswer,
  RoutedRequest,
  Source,
  SourceProblem,
} from "@waybill/core";
import { readToken } from "../http/index.ts";
import { graphqlRoute } from "./graphql-route.ts";
import type { GraphqlRouteOptions } from "./graphql-route.ts";
import type { Catalog, GraphqlOperation } from "./source/catalog.ts";

export interface GraphqlSourceOptions extends GraphqlRouteOptions {
  readonly name: string;
  /** SDL, or the JSON of an introspection. Without it the endpoint is asked. */
  readonly schema?: string | undefined;
  /** Documents with named operations. Without them every root field is an operation. */
  readonly documents?: readonly string[] | undefined;
  /** How deep the selection made for a root field goes. Default 2. */
  readonly depth?: number;
  /** How many fields it has at most. Default 60. */
  readonly maxFields?: number;
  /** Says in an error where the token is expected, such as "set SHOP_TOKEN". */
  readonly tokenHint?: string;
}

const INTROSPECTION_TIMEOUT_MS = 30_000;

/** Loaded when it is needed: the `graphql` package takes a while to read. */
const catalogModule = () => import("./source/catalog.ts");
const introspection = () => import("./source/introspect.ts");

class GraphqlSource implements Source {
  readonly name: string;
  readonly #options: GraphqlSourceOptions;
  readonly #route: ReturnType<typeof graphqlRoute>;
  readonly #handlers = new Map<string, Operation["handler"]>();
  #catalog: Catalog | undefined;

  constructor(options: GraphqlSourceOptions) {
    this.name = options.name;
    this.#options = options;
    this.#route = graphqlRoute(options);
  }

  async list(): Promise<readonly OperationSummary[]> {
    this.#catalog ??= await this.#read();
    return [...this.#catalog.operations.values()].map(({ summary }) => summary);
  }

  problems(): readonly SourceProblem[] {
    return this.#catalog?.problems ?? [];
  }

  describe(id: string): ReturnType<GraphqlOperation["spec"]> {
    return this.#find(id).spec();
  }

  call(id: string, input: unknown, context: Parameters<Operation["handler"]>[1]): unknown {
    return this.handlerOf(id)(input, context);
  }

  handlerOf(id: string): Operation["handler"] {
    const known = this.#handlers.get(id);
    if (known !== undefined) return known;
    const { handler } = oneRouteOperation(this.#routed(this.#find(id)));
    this.#handlers.set(id, handler);
    return handler;
  }

  async close(): Promise<void> {}

  #find(id: string): GraphqlOperation {
    const found = this.#catalog?.operations.get(id);
    if (found !== undefined) return found;
    throw new CallError("OPERATION_NOT_FOUND", `${this.name} has no operation called "${id}"`);
  }

  async #read(): Promise<Catalog> {
    const { schema, documents, name, depth = 2, maxFields = 60 } = this.#options;
    const text = schema ?? (await this.#introspect());
    const { readCatalog } = await catalogModule();
    return readCatalog({ name, schema: text, documents, limits: { depth, fields: maxFields } });
  }

  async #introspect(): Promise<string> {
    const { introspectionRequest } = await introspection();
    const signal = AbortSignal.timeout(INTROSPECTION_TIMEOUT_MS);
    const { response } = await this.#route.send(introspectionRequest(), reading(signal));
    return JSON.stringify(response.data);
  }

  #routed(operation: GraphqlOperation): OneRoute {
    let spec: ReturnType<GraphqlOperation["spec"]> | undefined;
    const { url, token, tokenHint: hint } = this.#options;
    return {
      get spec() {
        return (spec ??= operation.spec());
      },
      route: "graphql",
      host: new URL(url).host,
      async preflight() {
        if (token === undefined || (await readToken(token)) !== undefined) return undefined;
        return { code: "TOKEN_MISSING", ...(hint !== undefined && { hint }) };
      },
      send: async (request, attempt) =>
        picked(operation, await this.#route.send(requestFor(operation, request), attempt)),
      describe: (request) => this.#route.describe(requestFor(operation, request)),
    };
  }
}

function reading(signal: AbortSignal): Attempt {
  return {
    effect: "read",
    isRepeatable: true,
    idempotencyKey: undefined,
    identity: undefined,
    signal,
    deadline: undefined,
    beforeSend: () => Promise.resolve(),
  };
}

function requestFor(operation: GraphqlOperation, { params }: RoutedRequest): GraphqlRequest {
  const { operationName } = operation;
  return { kind: "graphql", operationName, document: operation.document(), variables: params };
}

/** The value of the one root field; a field that is not there was never answered. */
function picked({ field }: GraphqlOperation, answer: RouteAnswer): RouteAnswer {
  if (field === undefined) return answer;
  const data = answer.response.data as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(data, field)) {
    throw fail("SERVER", `The answer has no ${field}`, { outcome: "unknown" });
  }
  return { ...answer, response: { ...answer.response, data: data[field] } };
}

/** A GraphQL endpoint as a source: one operation for each document, or for each root field. */
export function graphqlSource(options: GraphqlSourceOptions): Source {
  return new GraphqlSource(options);
}
