import { isRecord } from "@waybill/core/schema";
import { asArray, asRecord, textOr } from "../document/raw.ts";
import { plainText } from "../document/plain-text.ts";
import { SpecProblem, resolve, resolveRecord } from "../document/references.ts";
import type { SpecDocument } from "../document/spec-document.ts";
import { upgradedParameter } from "../document/swagger2.ts";

const PLACES = ["path", "query", "querystring", "header", "cookie"] as const;
export type Place = (typeof PLACES)[number];

type Style =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "tabDelimited"
  | "deepObject"
  | "cookie";

/** How a value is written into a URL, a header or a form. */
export interface Serialisation {
  readonly style: Style;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export interface Parameter extends Serialisation {
  readonly name: string;
  readonly in: Place;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  /** The media type of a `content` parameter. Its value is written in that format. */
  readonly mediaType: string | undefined;
}

const STYLES: ReadonlySet<string> = new Set<Style>([
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "tabDelimited",
  "deepObject",
  "cookie",
]);
/** Headers that change how a request is sent, where it goes or which method it has. */
export const TRANSPORT_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-url",
  "x-rewrite-url",
]);

/**
 * Names of headers that are not inputs. OpenAPI describes the first three elsewhere and ignores
 * parameters with their names.
 */
const NOT_PARAMETERS = new Set(["accept", "content-type", "authorization", ...TRANSPORT_HEADERS]);

export function getSerialisation(raw: Record<string, unknown>, place: Place): Serialisation {
  const usual = place === "path" || place === "header" ? "simple" : "form";
  const given = textOr(raw["style"], usual);
  // The style `cookie` does not encode values, so it is allowed only for cookies.
  const isMisplaced = given === "cookie" && place !== "cookie";
  const style = (STYLES.has(given) && !isMisplaced ? given : usual) as Style;
  const isSpread = style === "form" || style === "cookie";
  const explode = typeof raw["explode"] === "boolean" ? raw["explode"] : isSpread;
  return { style, explode, allowReserved: raw["allowReserved"] === true };
}

function parameterContent(raw: Record<string, unknown>): { schema: unknown; mediaType?: string } {
  const [entry] = Object.entries(asRecord(raw["content"]));
  if (entry === undefined) return { schema: raw["schema"] };
  return { schema: isRecord(entry[1]) ? entry[1]["schema"] : undefined, mediaType: entry[0] };
}

function findParameter(raw: Record<string, unknown>): Parameter | undefined {
  const { name, in: place } = raw;
  if (typeof name !== "string" || !PLACES.includes(place as Place)) {
    throw new SpecProblem(
      `a parameter has no "name", or its "in" is not one of ${PLACES.join(", ")}`,
    );
  }
  const isElsewhere = place === "header" && NOT_PARAMETERS.has(name.toLowerCase());
  if (name === "" || isElsewhere) return undefined;
  const where = place as Place;
  const { schema, mediaType } = parameterContent(raw);
  return {
    ...getSerialisation(raw, where),
    name,
    in: where,
    isRequired: where === "path" || raw["required"] === true,
    description: typeof raw["description"] === "string" ? plainText(raw["description"]) : undefined,
    schema: schema ?? true,
    mediaType,
  };
}

/** In OpenAPI 3.2, the media type of a parameter may be a reference. */
function withMedia(
  document: SpecDocument,
  { content, ...raw }: Record<string, unknown>,
): Record<string, unknown> {
  if (!isRecord(content)) return raw;
  const media = Object.entries(content).map(([type, each]) => [type, resolve(document, each)]);
  return { ...raw, content: Object.fromEntries(media) };
}

/**
 * The parameters as written. Those of the operation replace those of the path with the same name
 * and kind.
 */
export function rawParameters(
  document: SpecDocument,
  lists: readonly unknown[],
): Record<string, unknown>[] {
  const byKey = new Map<string, Record<string, unknown>>();
  for (const list of lists) {
    for (const item of asArray(list)) {
      const raw = withMedia(document, resolveRecord(document, item, "a parameter"));
      byKey.set(`${String(raw["in"])} ${String(raw["name"])}`, raw);
    }
  }
  return [...byKey.values()];
}

function implied(name: string): Parameter {
  return {
    ...getSerialisation({}, "path"),
    name,
    in: "path",
    isRequired: true,
    description: undefined,
    schema: { type: "string" },
    mediaType: undefined,
  };
}

function getPlaceholders(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]+)\}/gu), ([, name]) => name!);
}

/**
 * Names of the placeholders in the path, and in its query string if no query parameter declares
 * them.
 */
function neededBy(path: string, raws: readonly Record<string, unknown>[]): string[] {
  const [plain = "", ...query] = path.split("?");
  const isDeclared = (name: string): boolean =>
    raws.some((raw) => raw["in"] === "query" && raw["name"] === name);
  const inQuery = getPlaceholders(query.join("?")).filter((name) => !isDeclared(name));
  return [...getPlaceholders(plain), ...inQuery];
}

/** The inputs of a call besides its body. The placeholders in the path take precedence. */
export function readParameters(
  raws: readonly Record<string, unknown>[],
  path: string,
): Parameter[] {
  const names = neededBy(path.split("#", 1)[0] ?? "", raws);
  const declared = raws
    .filter(({ in: place }) => place !== "body" && place !== "formData")
    .flatMap((raw) => findParameter(upgradedParameter(raw)) ?? [])
    .filter((parameter) => parameter.in !== "path" || names.includes(parameter.name));
  const known = new Set(declared.filter(({ in: place }) => place === "path").map((p) => p.name));
  const missing = [...new Set(names)].filter((name) => !known.has(name));
  return [...declared, ...missing.map(implied)];
}
