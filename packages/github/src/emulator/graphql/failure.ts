import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { StoreError } from "../store/errors.ts";
import type { Refusal } from "../store/errors.ts";

/** An error that exists only in GraphQL. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const TYPES: Readonly<Record<Refusal, string>> = {
  NOT_FOUND: "NOT_FOUND",
  FORBIDDEN: "FORBIDDEN",
  GONE: "UNPROCESSABLE",
  CONFLICT: "STALE_DATA",
  NOT_MERGEABLE: "UNPROCESSABLE",
  UNPROCESSABLE: "UNPROCESSABLE",
};

export interface GithubError extends GraphQLFormattedError {
  readonly type?: string;
}

/** GraphQL has no list of field errors, so they become part of the message. */
function failureMessage({ message, errors }: StoreError): string {
  const words = errors.map((one) => {
    if (typeof one === "string") return one;
    return one.message ?? `${one.resource} ${one.field} is ${one.code.replaceAll("_", " ")}`;
  });
  const isVague = /^(Validation|Repository creation|Unprocessable) /.test(message);
  return words.length > 0 && isVague ? words.join(", ") : message;
}

/** Converts an error to GitHub's form, with a type and a path. */
export function formatError(error: GraphQLError): GithubError {
  const { originalError: cause, path, locations } = error;
  const place = { ...(path ? { path } : {}), ...(locations ? { locations } : {}) };
  if (cause instanceof StoreError)
    return { type: TYPES[cause.refusal], ...place, message: failureMessage(cause) };
  if (cause instanceof QueryError) return { type: cause.type, ...place, message: cause.message };
  return { ...place, message: error.message };
}

export function notServed(type: string, field: string): QueryError {
  return new QueryError("NOT_SERVED", `The embedded GitHub does not know ${type}.${field}`);
}
