import { isRecord, markDigits } from "@waybill/core/schema";
import type { HandleStore, JsonSchema } from "@waybill/core";
import { buildUrl, expandTemplate } from "../../http/index.ts";
import { buildBody, chosenMedia } from "./build-body.ts";
import { bodyKind } from "../operation/media-types.ts";
import { BODY, CONTENT_TYPE } from "../operation/operation-inputs.ts";
import type { NamedParameter } from "../operation/operation-inputs.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import { getAccept } from "../operation/operation-responses.ts";
import type { Place } from "../operation/parameters.ts";
import { contentText, invalidValue, serialiseForm, serialiseSimple } from "./serialise.ts";

/** A request without credentials, ready to be sent. */
export interface BuiltRequest {
  readonly method: string;
  /** The encoded path, without a host. */
  readonly path: string;
  /** Encoded pairs, in the order of the description. */
  readonly query: readonly string[];
  /** The headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string | Uint8Array | undefined;
}

type Input = Readonly<Record<string, unknown>>;

interface Given extends NamedParameter {
  readonly value: unknown;
}

const AS_FORM = { style: "form", explode: true, allowReserved: false } as const;

function givenParameters(model: OperationModel, input: Input, place: Place): Given[] {
  return model.parameters
    .filter(({ parameter }) => parameter.in === place)
    .map(({ key, parameter }) => ({
      key,
      parameter,
      value: Object.hasOwn(input, key) ? input[key] : undefined,
    }))
    .filter(({ value }) => value !== undefined && value !== null);
}

function isEmpty(value: unknown): boolean {
  if (value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && isBare(value);
}

function isBare(value: Record<string, unknown>): boolean {
  return Object.values(value).every((inner) => inner === undefined || inner === null);
}

/** Encodes literal text, but not escapes that it already contains. */
function encodedLiteral(text: string): string {
  return encodeURI(text).replaceAll("%25", "%").replaceAll(/[?#]/gu, encodeURIComponent);
}

function expandPath(template: string, values: readonly Given[]): string {
  const encoded = template.replaceAll(/\{[^{}]*\}|[^{}]+|[{}]/gu, (part) =>
    part.startsWith("{") && part.endsWith("}") ? part : encodedLiteral(part),
  );
  return expandTemplate(encoded, (name) => {
    const found = values.find(({ parameter }) => parameter.name === name);
    if (found === undefined) throw invalidValue(name, "is missing");
    if (isEmpty(found.value)) throw invalidValue(found.key, "must not be empty");
    return serialiseSimple(found.parameter, found.value, true);
  });
}

function getPairs({ parameter, value }: Given): string[] {
  const { name, mediaType } = parameter;
  return mediaType === undefined
    ? serialiseForm(name, value, parameter)
    : serialiseForm(name, contentText(mediaType, value), AS_FORM);
}

/** A parameter that forms the whole query: its members as a form, or its encoded text. */
function wholeQuery({ parameter, value }: Given): string[] {
  const { mediaType = "application/x-www-form-urlencoded" } = parameter;
  const isForm = bodyKind(mediaType) === "form" && isRecord(value);
  if (!isForm) return [encodeURIComponent(contentText(mediaType, value))];
  return Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .flatMap(([name, member]) => serialiseForm(name, member, AS_FORM));
}

/** A header cannot contain line ends or characters outside Latin-1. */
function headerText({ key, parameter, value }: Given): string {
  const text = serialiseSimple(parameter, value, false);
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/u.test(text)) {
    throw invalidValue(
      key,
      "has characters that headers do not allow; remove line breaks and special characters",
    );
  }
  return text.trim();
}

/**
 * Removes a fixed query and a fragment from a path. Some descriptions use a fragment only to
 * distinguish operations.
 */
function getTemplate(path: string): { template: string; query: string[] } {
  const [whole = ""] = path.split("#", 1);
  const [template = "", ...rest] = whole.split("?");
  const query = rest.join("?").split("&");
  return { template, query: query.filter((pair) => pair !== "") };
}

/** The query pairs in the path, without those that a parameter sets. */
function fixedQuery(
  pairs: readonly string[],
  values: readonly Given[],
  { parameters }: OperationModel,
): string[] {
  const declared = parameters.filter(({ parameter }) => parameter.in === "query");
  const names = new Set(declared.map(({ parameter }) => parameter.name));
  const own = pairs.filter((pair) => !names.has(pair.split("=", 1)[0] ?? ""));
  return own.map((pair) => {
    const [name = "", ...rest] = pair.split("=");
    const filled = rest.join("=").replaceAll(/\{([^{}]+)\}/gu, (_whole, key: string) => {
      const found = values.find(({ parameter }) => parameter.name === key);
      return found === undefined ? "" : serialiseSimple(found.parameter, found.value, false);
    });
    const isBareName = !pair.includes("=");
    return isBareName
      ? encodedLiteral(name)
      : `${encodedLiteral(name)}=${encodeURIComponent(filled)}`;
  });
}

function requestBody(
  { body }: OperationModel,
  input: Input,
  store: HandleStore | undefined,
): Promise<{ contentType: string; body: string | Uint8Array } | undefined> {
  const value = Object.hasOwn(input, BODY) ? input[BODY] : undefined;
  if (body === undefined || value === undefined) return Promise.resolve(undefined);
  return buildBody(chosenMedia(body, input[CONTENT_TYPE]), value, store);
}

/** Builds the request for a validated input. */
export async function buildRequest(
  model: OperationModel,
  given: Input,
  store?: HandleStore,
  schema: JsonSchema = true,
): Promise<BuiltRequest> {
  const input = markDigits(schema, given);
  const { method, path } = model.place;
  const { template, query } = getTemplate(path);
  const inPath = givenParameters(model, input, "path");
  const body = await requestBody(model, input, store);
  const headers = givenParameters(model, input, "header").map(
    (each) => [each.parameter.name.toLowerCase(), headerText(each)] as const,
  );
  return {
    method: method.toUpperCase(),
    path: expandPath(template, inPath),
    query: [
      ...fixedQuery(query, inPath, model),
      ...givenParameters(model, input, "query").flatMap(getPairs),
      ...givenParameters(model, input, "querystring").flatMap(wholeQuery),
    ],
    headers: {
      accept: getAccept(model.responses),
      ...Object.fromEntries(headers),
      ...(body !== undefined && { "content-type": body.contentType }),
    },
    cookies: givenParameters(model, input, "cookie").flatMap(getPairs),
    body: body?.body,
  };
}

/** The URL of a request below a server. The server's own query is kept. */
export function requestUrl(server: string, path: string, query: readonly string[]): URL {
  const own = new URL(server).search.slice(1);
  return buildUrl(server, path, [own, ...query].filter((pair) => pair !== "").join("&"));
}
