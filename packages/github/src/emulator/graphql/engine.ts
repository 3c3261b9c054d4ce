import { Kind, execute, getNamedType } from "graphql";
import type {
  DocumentNode,
  GraphQLFieldResolver,
  GraphQLResolveInfo,
  GraphQLSchema,
} from "graphql";
import { loadSchema } from "../../schema/index.ts";
import { Input, isInputObject } from "../input.ts";
import { Paged, connect, paged } from "./connection.ts";
import type { Context } from "./context.ts";
import { formatError, notServed } from "./failure.ts";
import type { GithubError } from "./failure.ts";
import { nodeLimitError } from "./node-limit.ts";
import { TYPES } from "./types/index.ts";
import { checkQuery } from "./validation.ts";
import { variableErrors } from "./variables.ts";

export interface GraphqlResult {
  data?: unknown;
  errors?: readonly GithubError[];
}

/** Whether a connection's selection contains more than counts. */
function wantsItems({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const names = fieldNodes.flatMap(({ selectionSet }) =>
    (selectionSet?.selections ?? []).flatMap((one) => {
      if (one.kind === Kind.FIELD) return [one.name.value];
      const inner = one.kind === Kind.FRAGMENT_SPREAD ? fragments[one.name.value] : one;
      return (inner?.selectionSet.selections ?? []).map((s) =>
        s.kind === Kind.FIELD ? s.name.value : "nodes",
      );
    }),
  );
  return names.some((name) => ["nodes", "edges", "pageInfo"].includes(name));
}

function find(source: unknown, args: Input, context: Context, info: GraphQLResolveInfo): unknown {
  const { parentType, fieldName } = info;
  const fields = TYPES[parentType.name];
  const resolver =
    fields !== undefined && Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined;
  // Unsafe cast: the registry has resolvers for all types, and graphql-js calls each one with its
  // own type.
  if (resolver !== undefined) return resolver(source as never, args, context);
  if (isInputObject(source) && source[fieldName] !== undefined) return source[fieldName];
  throw notServed(parentType.name, fieldName);
}

const fieldResolver: GraphQLFieldResolver<unknown, Context> = (source, args, context, info) => {
  const input = new Input(args);
  const value = find(source, input, context, info);
  const isList = Array.isArray(value) || value instanceof Paged;
  if (!isList || !getNamedType(info.returnType).name.endsWith("Connection")) return value;
  const list = value instanceof Paged ? value : paged(value);
  return connect(list, input, info.fieldName, { wantsItems: wantsItems(info) });
};

function typeResolver(value: unknown): string | undefined {
  if (!isInputObject(value)) return undefined;
  const type = value["isBot"] === true ? "Bot" : value["type"];
  return typeof type === "string" ? type : undefined;
}

const MAX_CACHED = 200;
const checked = new Map<string, DocumentNode | readonly GithubError[]>();

/**
 * Caches parsed queries: parsing and validating cost more than running, and clients repeat their
 * queries.
 */
function prepare(schema: GraphQLSchema, query: string): DocumentNode | readonly GithubError[] {
  const known = checked.get(query);
  if (known !== undefined) return known;
  if (checked.size >= MAX_CACHED) checked.delete([...checked.keys()][0]!);
  const result = checkQuery(schema, query);
  checked.set(query, result);
  return result;
}

export async function executeGraphql(request: Input, context: Context): Promise<GraphqlResult> {
  const query = request.text("query");
  if (query === undefined)
    return { errors: [{ message: "A query attribute must be specified and must be a string." }] };
  const schema = await loadSchema();
  const document = prepare(schema, query);
  if (!("kind" in document)) return { errors: document };
  const given = request.raw("variables");
  const variableValues = isInputObject(given) ? given : {};
  const operationName = request.text("operationName") ?? null;
  const wrong = variableErrors(schema, document, variableValues, operationName);
  if (wrong.length > 0) return { errors: wrong };
  const tooMany = nodeLimitError(document, variableValues, operationName);
  if (tooMany !== undefined) return { errors: [tooMany] };
  const { data, errors } = await execute({
    schema,
    document,
    contextValue: context,
    variableValues,
    operationName,
    fieldResolver,
    typeResolver,
  });
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map(formatError) }),
  };
}
