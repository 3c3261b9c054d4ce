import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@waybill/core/schema";
import type { BuiltRequest } from "@waybill/adapters/openapi";
import { loadPackage } from "./corpora.ts";
import type { Raw, RawOperation } from "./raw-operations.ts";

interface ClientRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Client {
  buildRequest(options: object): ClientRequest;
}

/**
 * The request that another implementation builds for the same call; undefined if it cannot build
 * one.
 */
export interface Comparison {
  readonly raw: RawOperation;
  readonly input: Raw;
  readonly ours: BuiltRequest & { readonly url: string };
  readonly differences: readonly string[];
  readonly theirs: ClientRequest;
}

let client: Client | undefined;

/**
 * A description with only this operation. A fragment in a path only distinguishes operations, so it
 * is removed: the other implementation would send it.
 */
function miniature(raw: RawOperation, server: string): Raw {
  const { method, operation, parameters, body } = raw;
  const [path = ""] = raw.path.split("#", 1);
  return {
    openapi: "3.0.3",
    servers: [{ url: server }],
    paths: {
      [path]: {
        [method]: {
          operationId: "op",
          parameters,
          responses: operation["responses"],
          ...(body !== undefined && { requestBody: body }),
        },
      },
    },
  };
}

/** The other implementation needs every parameter with its location. */
function parametersFor(raw: RawOperation, input: Raw): Raw {
  const named = raw.parameters.map((parameter) => {
    const [name, place] = [String(parameter["name"]), String(parameter["in"])];
    const value = input[`${place}.${name}`] ?? input[name];
    return [`${place}.${name}`, value] as const;
  });
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function queryPairs(query: string): string[] {
  return [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).toSorted();
}

function decodedPath(url: URL): string[] {
  return url.pathname.split("/").map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

function comparedHeaders(headers: Readonly<Record<string, string>>): Raw {
  const skipped = new Set(["accept", "user-agent", "content-type", "cookie"]);
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value).trim()] as const)
      .filter(([name]) => !skipped.has(name)),
  );
}

function parsedJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/**
 * The other implementation uses its own FormData for multipart bodies, so only the common parts are
 * compared.
 */
function bodyFields(body: unknown): string[] | undefined {
  const entries: unknown = isRecord(body) ? Reflect.get(body, "entries") : undefined;
  if (typeof entries !== "function") return undefined;
  const all = [...(entries.call(body) as Iterable<[string, unknown]>)];
  return all.map(([name]) => name).toSorted();
}

function partNames(body: BuiltRequest["body"]): string[] {
  const text = typeof body === "string" ? body : Buffer.from(body ?? []).toString("utf8");
  return Array.from(text.matchAll(/form-data; name="([^"]*)"/gu), ([, name]) => name!).toSorted();
}

function sameBody(ours: BuiltRequest, theirs: unknown): boolean {
  const type = ours.headers["content-type"] ?? "";
  if (ours.body === undefined) return theirs === undefined || theirs === "";
  const fields = bodyFields(theirs);
  if (type.startsWith("multipart/")) {
    return isDeepStrictEqual(fields ?? [], partNames(ours.body));
  }
  const text = Buffer.from(ours.body as string).toString("utf8");
  if (type.includes("urlencoded"))
    return isDeepStrictEqual(
      queryPairs(text),
      queryPairs(typeof theirs === "string" ? theirs : ""),
    );
  return isDeepStrictEqual(parsedJson(text), parsedJson(theirs));
}

function differs(name: string, left: unknown, right: unknown): string[] {
  return isDeepStrictEqual(left, right) ? [] : [name];
}

function differences(ours: BuiltRequest & { url: string }, theirs: ClientRequest): string[] {
  const [own, other] = [new URL(ours.url), new URL(theirs.url)];
  const cookies = (theirs.headers["Cookie"] ?? "").split(/[;&] ?/u).filter((text) => text !== "");
  return [
    ...differs("method", ours.method, theirs.method),
    ...differs("path", decodedPath(own), decodedPath(other)),
    ...differs("query", queryPairs(own.search), queryPairs(other.search)),
    ...differs("headers", comparedHeaders(ours.headers), comparedHeaders(theirs.headers)),
    ...differs(
      "cookies",
      queryPairs([ours.headers["cookie"] ?? "", ...ours.cookies].join("&")),
      queryPairs(cookies.join("&")),
    ),
    ...(sameBody(ours, theirs.body) ? [] : ["body"]),
  ];
}

export function compareRequests(
  raw: RawOperation,
  input: Raw,
  ours: BuiltRequest & { url: string },
): Comparison | Error {
  client ??= loadPackage("swagger-client") as Client;
  const { origin, pathname } = new URL(ours.url);
  const server = `${origin}${pathname.slice(0, pathname.lastIndexOf(ours.path))}`;
  const types = Object.keys(isRecord(raw.body?.["content"]) ? raw.body["content"] : {});
  try {
    const theirs = client.buildRequest({
      spec: miniature(raw, server),
      operationId: "op",
      parameters: parametersFor(raw, input),
      ...(raw.body !== undefined &&
        input["body"] !== undefined && {
          requestBody: input["body"],
          requestContentType: input["content_type"] ?? types[0],
        }),
    });
    return { raw, input, ours, theirs, differences: differences(ours, theirs) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
