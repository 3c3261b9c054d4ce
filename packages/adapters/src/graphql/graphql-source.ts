import { createRedactor, errorFromUnknown } from "@waybill/core";
import { lateSource, oneRouteOperation } from "@waybill/core/cards";
import type { Attempt, CallError, Operation, OperationSpec, Redactor, Source } from "@waybill/core";
import type {
  CardRoute,
  GraphqlRequest,
  LateOperations,
  OneRoute,
  RoutedRequest,
} from "@waybill/core/cards";
import { readToken, rememberLimits, remembered } from "../http/index.ts";
import type { DocumentCache, SourceLimits } from "../http/index.ts";
import { graphqlRoute } from "./graphql-route.ts";
import type { GraphqlRouteOptions } from "./graphql-route.ts";
import { graphqlSubscription } from "./graphql-subscription.ts";
import { pickRootField } from "./root-field.ts";
import type { GraphqlOperation } from "./source/graphql-operation.ts";

export interface GraphqlSourceOptions extends GraphqlRouteOptions {
  readonly name: string;
  /** The schema as SDL or introspection JSON. Without it, the endpoint is asked for its schema. */
  readonly schema?: string | undefined;
  /** Documents with named operations. Without them, every root field is an operation. */
  readonly documents?: readonly string[] | undefined;
  /** Maximum depth of the generated selection of a root field (default: 2). */
  readonly depth?: number;
  /** Maximum number of fields in such a selection (default: 60). */
  readonly maxFields?: number;
  /** How to set the token, for error messages, such as "set SHOP_TOKEN". */
  readonly tokenHint?: string;
  /** Caches the schema of the endpoint: for five minutes, and longer if the endpoint is down. */
  readonly cache?: DocumentCache;
  /**
   * The account whose rate limits are remembered, and the store for them (default: each source
   * has its own).
   */
  readonly rateLimits?: Omit<SourceLimits, "name">;
}

const INTROSPECTION_TIMEOUT_MS = 30_000;
const SCHEMA_FRESH_MS = 300_000;

/** Loaded when needed, because the `graphql` package is slow to load. */
const catalogModule = () => import("./source/catalog.ts");
const introspection = () => import("./source/introspect.ts");

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

function graphqlRequest(operation: GraphqlOperation, { params }: RoutedRequest): GraphqlRequest {
  return { kind: "graphql", ...operation.request(params) };
}

/**
 * Sets the outcome to unknown. GitHub guarantees that a failed root field changed nothing, but
 * GraphQL does not, so for other endpoints an error proves nothing.
 */
export function withoutPromise(thrown: unknown): never {
  const error = errorFromUnknown(thrown);
  const isPromise = error.details.outcome === "not_applied" && error.details.status === 200;
  throw isPromise ? error.with({ outcome: "unknown" }) : thrown;
}

async function introspect(route: CardRoute): Promise<string> {
  const { introspectionRequest } = await introspection();
  const signal = AbortSignal.timeout(INTROSPECTION_TIMEOUT_MS);
  const { response } = await route.send(introspectionRequest(), reading(signal));
  return JSON.stringify(response.data);
}

function untold(thrown: unknown): CallError {
  const error = errorFromUnknown(thrown);
  const hint = "If the endpoint does not allow introspection, pass its schema with --schema FILE";
  const message = `Its schema cannot be fetched: ${error.message}`;
  return error.with({ hint, ...error.details }, { message });
}

interface ToldSchema {
  readonly schema: string;
  readonly warning?: string;
}

/**
 * Returns the schema of an endpoint. The cached schema is used while it is fresh or the endpoint
 * is down.
 */
async function loadEndpointSchema(
  route: CardRoute,
  { url, cache, schema: given }: GraphqlSourceOptions,
): Promise<ToldSchema> {
  if (given !== undefined) return { schema: given };
  const address = `graphql ${url}`;
  const kept = await cache?.read(address);
  const now = Date.now();
  if (kept !== undefined && kept.freshUntil > now) return { schema: kept.bytes.toString() };
  try {
    const schema = await introspect(route);
    const bytes = Buffer.from(schema);
    await cache?.write(address, { bytes, url, seenAt: now, freshUntil: now + SCHEMA_FRESH_MS });
    return { schema };
  } catch (thrown) {
    const spare = remembered(thrown, kept);
    if (spare === undefined) throw untold(thrown);
    return { schema: spare.bytes.toString(), warning: spare.warning };
  }
}

function routed(
  operation: GraphqlOperation,
  route: CardRoute,
  { url, token, tokenHint: hint }: GraphqlSourceOptions,
): OneRoute {
  let spec: OperationSpec | undefined;
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
    async send(request, attempt) {
      const asked = graphqlRequest(operation, request);
      return pickRootField(operation, await route.send(asked, attempt).catch(withoutPromise));
    },
    describe: (request) => route.describe(graphqlRequest(operation, request)),
  };
}

function makeOperation(
  operation: GraphqlOperation,
  route: CardRoute,
  redactor: Redactor,
  options: GraphqlSourceOptions,
): Operation {
  if (operation.summary.kind === "call")
    return oneRouteOperation(routed(operation, route, options));
  const handler = graphqlSubscription(operation, redactor, options);
  return { spec: operation.spec(), run: { kind: "local", handler } };
}

/** Creates a source for a GraphQL endpoint: one operation per document, or per root field. */
export function graphqlSource(given: GraphqlSourceOptions): Source {
  const { name, documents, depth = 2, maxFields = 60 } = given;
  const transport = rememberLimits(given.transport, { name, ...given.rateLimits });
  const options = { ...given, transport };
  const route = graphqlRoute(options);
  const redactor = createRedactor();
  const load = async (): Promise<LateOperations> => {
    const { schema, warning } = await loadEndpointSchema(route, options);
    const { readCatalog } = await catalogModule();
    const limits = { depth, fields: maxFields };
    const { operations, problems } = readCatalog({ name, schema, documents, limits });
    const late = operations.map((operation) => ({
      summary: operation.summary,
      make: () => makeOperation(operation, route, redactor, options),
    }));
    const told = warning === undefined ? [] : [{ source: name, operationId: "", message: warning }];
    return { operations: late, problems: [...told, ...problems] };
  };
  return lateSource(name, load, "graphql");
}
