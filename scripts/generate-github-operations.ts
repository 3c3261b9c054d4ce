import { loadDescription } from "../packages/github/src/description/index.ts";
import { SERVED } from "../packages/github/src/emulator/rest/match-route.ts";

type Json = Readonly<Record<string, unknown>>;

/** The schema keywords that the emulator checks. */
const KEPT = new Set([
  "type",
  "nullable",
  "properties",
  "required",
  "enum",
  "items",
  "oneOf",
  "anyOf",
  "additionalProperties",
  "minItems",
  "maxItems",
  "maxProperties",
  "format",
]);

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The part of GitHub's description that the emulator needs: every operation, to distinguish missing
 * operations from unknown ones, and the bodies of those that it serves.
 */
export async function renderGithubOperations(): Promise<string> {
  const description = await loadDescription();
  const resolve = (value: unknown): unknown => {
    if (!isRecord(value) || typeof value["$ref"] !== "string") return value;
    const parts = value["$ref"].slice(2).split("/");
    return resolve(parts.reduce<unknown>((at, part) => (at as Json)[part], description));
  };
  const compact = (raw: unknown): unknown => {
    const schema = resolve(raw);
    if (Array.isArray(schema)) return schema.map(compact);
    if (!isRecord(schema)) return schema;
    const kept = Object.entries(schema).filter(([key]) => KEPT.has(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, compactMember(key, value)]));
  };
  const compactMember = (key: string, value: unknown): unknown => {
    if (key === "enum" || key === "required") return value;
    if (key !== "properties" || !isRecord(value)) return compact(value);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, compact(one)]));
  };
  const bodyOf = (key: string): unknown => {
    const [method = "", template = ""] = key.split(" ");
    const operation = description.paths[template]?.[method.toLowerCase()];
    const body = isRecord(operation) ? resolve(operation["requestBody"]) : undefined;
    const content = isRecord(body) ? body["content"] : undefined;
    const media = isRecord(content) ? content["application/json"] : undefined;
    if (!isRecord(body) || !isRecord(media)) return undefined;
    return { required: body["required"] === true, schema: compact(media["schema"]) };
  };
  const operations = Object.entries(description.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${template}`),
  );
  const bodies = SERVED.map((key) => [key, bodyOf(key)] as const)
    .filter(([, body]) => body !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = bodies.map(([key, body]) => `${JSON.stringify(key)}: ${JSON.stringify(body)}`);
  const list = operations.toSorted().map((one) => JSON.stringify(one));
  return `{"operations": [\n${list.join(",\n")}\n],\n"bodies": {\n${lines.join(",\n")}\n}}\n`;
}
