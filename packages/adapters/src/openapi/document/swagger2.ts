import { isRecord } from "@waybill/core/schema";
import { textOr } from "./raw.ts";
import type { Raw } from "./raw.ts";

/** Keywords of a 2.0 parameter that are not part of its schema. */
const NOT_SCHEMA = new Set([
  "name",
  "in",
  "required",
  "description",
  "collectionFormat",
  "allowEmptyValue",
]);

const STYLES: Readonly<Record<string, { style: string; explode: boolean }>> = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};

function swaggerSchema(raw: Raw): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !NOT_SCHEMA.has(key)));
}

/** The OpenAPI 3.0 style for a `collectionFormat`. Only arrays have one. */
function getStyle(raw: Raw): Raw {
  const isInQuery = raw["in"] === "query" || raw["in"] === "formData";
  const format = textOr(raw["collectionFormat"], "csv");
  if (raw["type"] !== "array") return {};
  const style = STYLES[format] ?? STYLES["csv"]!;
  if (isInQuery || style.style !== "form") return style;
  return { style: "simple", explode: false };
}

/** Converts a Swagger 2.0 parameter, which has its type beside its name, to a parameter of 3.0. */
export function upgradedParameter(raw: Raw): Raw {
  const isOld = raw["schema"] === undefined && raw["content"] === undefined && "type" in raw;
  if (!isOld) return raw;
  const { name, in: place, required, description } = raw;
  return { name, in: place, required, description, schema: swaggerSchema(raw), ...getStyle(raw) };
}

function mediaTypes(list: unknown, usual: string): string[] {
  const given = (Array.isArray(list) ? list : []).filter(
    (item): item is string => typeof item === "string",
  );
  return given.length > 0 ? given : [usual];
}

function mediaContent(types: readonly string[], media: Raw): Raw {
  return Object.fromEntries(types.map((type) => [type, media]));
}

function formContent(fields: readonly Raw[], consumes: unknown): Raw {
  const properties = Object.fromEntries(
    fields.map((field) => {
      const isFile = field["type"] === "file";
      const words =
        typeof field["description"] === "string" ? { description: field["description"] } : {};
      const file = { type: "string", format: "binary" };
      return [String(field["name"]), { ...(isFile ? file : swaggerSchema(field)), ...words }];
    }),
  );
  const required = fields.filter((field) => field["required"] === true).map(({ name }) => name);
  const encoding = Object.fromEntries(
    fields.flatMap((field) => {
      const style = getStyle(field);
      return "style" in style ? [[String(field["name"]), style]] : [];
    }),
  );
  const hasFile = fields.some((field) => field["type"] === "file");
  const usual = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  const types = mediaTypes(consumes, usual).filter((type) => /form/iu.test(type));
  const schema = { type: "object", properties, required };
  const chosen = hasFile ? types.filter((type) => /multipart/iu.test(type)) : types;
  return mediaContent(chosen.length > 0 ? chosen : [usual], { schema, encoding });
}

/** Converts the body of a 2.0 operation, which is one of its parameters, to a `requestBody`. */
export function upgradedBody(raws: readonly Raw[], consumes: unknown): Raw | undefined {
  const body = raws.find((raw) => raw["in"] === "body");
  if (body !== undefined) {
    const types = mediaTypes(consumes, "application/json");
    const { description, required } = body;
    return { description, required, content: mediaContent(types, { schema: body["schema"] }) };
  }
  const fields = raws.filter((raw) => raw["in"] === "formData");
  if (fields.length === 0) return undefined;
  const required = fields.some((field) => field["required"] === true);
  return { required, content: formContent(fields, consumes) };
}

/** Converts a 2.0 response: its schema is set for each media type that the operation produces. */
export function upgradedResponse(raw: Raw, produces: unknown): Raw {
  if (raw["schema"] === undefined) return raw;
  const isFile = isRecord(raw["schema"]) && raw["schema"]["type"] === "file";
  const types = mediaTypes(produces, isFile ? "application/octet-stream" : "application/json");
  const schema = isFile ? { type: "string", format: "binary" } : raw["schema"];
  return { ...raw, content: mediaContent(types, { schema }) };
}

/** The servers of a 2.0 description. */
export function upgradedServers(root: {
  host: unknown;
  basePath: unknown;
  schemes: unknown;
}): Raw[] {
  const path = typeof root.basePath === "string" ? root.basePath : "";
  if (typeof root.host !== "string" || root.host === "") return [{ url: path === "" ? "/" : path }];
  const schemes = mediaTypes(root.schemes, "https").filter((scheme) => /^https?$/u.test(scheme));
  const scheme = schemes.includes("https") ? "https" : (schemes[0] ?? "https");
  return [{ url: `${scheme}://${root.host}${path}` }];
}

/** Converts a 2.0 security definition to a security scheme. */
export function upgradedScheme(raw: Raw): Raw {
  return raw["type"] === "basic" ? { type: "http", scheme: "basic" } : raw;
}
