import { isRecord } from "@waybill/core/schema";

export type Raw = Record<string, unknown>;

/** An operation of the description, read independently of the adapter under test. */
export interface RawOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Raw;
  readonly parameters: readonly Raw[];
  readonly body: Raw | undefined;
  /** The special features of OpenAPI that the operation uses. */
  readonly features: readonly string[];
}

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);
/**
 * Headers that are no parameters: OpenAPI ignores them, or they belong to the connection or change
 * the method.
 */
const IGNORED =
  /^(?:accept|content-type|authorization|connection|content-length|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-(?:http-)?method(?:-override)?)$/iu;

function rawList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function record(value: unknown): Raw {
  return isRecord(value) ? value : {};
}

export function deref(document: Raw, value: unknown, hops = 0): unknown {
  const ref = isRecord(value) ? value["$ref"] : undefined;
  if (typeof ref !== "string" || hops > 20) return value;
  const target = ref
    .slice(2)
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (inner, key) =>
        isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, key) : undefined,
      document,
    );
  return deref(document, target, hops + 1);
}

function merged(document: Raw, lists: readonly unknown[]): Raw[] {
  const byKey = new Map<string, Raw>();
  for (const item of lists.flatMap(rawList)) {
    const raw = record(deref(document, item));
    byKey.set(`${String(raw["in"])} ${String(raw["name"])}`, raw);
  }
  return [...byKey.values()].filter(
    (raw) => raw["in"] !== "header" || !IGNORED.test(String(raw["name"])),
  );
}

const has = (condition: boolean, name: string): string[] => (condition ? [name] : []);

function parameterFeatures(item: Raw, operation: Raw, parameters: readonly Raw[]): string[] {
  const own = rawList(operation["parameters"]);
  const names = parameters.map(({ name }) => String(name));
  const some = (test: (raw: Raw) => boolean): boolean => parameters.some(test);
  return [
    ...has(
      [...own, ...rawList(item["parameters"])].some((raw) => "$ref" in record(raw)),
      "parameters by reference",
    ),
    ...has(rawList(item["parameters"]).length > 0, "parameters of the path"),
    ...has(
      some((raw) => raw["in"] === "header"),
      "header parameters",
    ),
    ...has(
      some((raw) => raw["in"] === "cookie"),
      "cookie parameters",
    ),
    ...has(
      some((raw) => raw["explode"] === false),
      "explode: false",
    ),
    ...has(
      some((raw) => raw["style"] === "deepObject"),
      "deepObject",
    ),
    ...has(
      some((raw) => /Delimited|label|matrix/u.test(String(raw["style"]))),
      "other styles",
    ),
    ...has(
      some((raw) => raw["content"] !== undefined),
      "content parameters",
    ),
    ...has(new Set(names).size < names.length, "one name in two places"),
  ];
}

function bodyFeatures(body: Raw | undefined): string[] {
  const types = Object.keys(record(body?.["content"]));
  const some = (pattern: RegExp): boolean => types.some((type) => pattern.test(type));
  return [
    ...has(some(/[/+]json/u), "JSON body"),
    ...has(some(/urlencoded/u), "form body"),
    ...has(some(/multipart/u), "multipart body"),
    ...has(some(/xml|^text\//u), "text or XML body"),
    ...has(some(/octet|^image|^audio|^video|zip|pdf/u), "binary body"),
    ...has(types.length > 1, "several body types"),
  ];
}

function otherFeatures(document: Raw, item: Raw, operation: Raw): string[] {
  const id = operation["operationId"];
  const servers = rawList(operation["servers"] ?? item["servers"] ?? document["servers"]).map(
    record,
  );
  const urls = servers.map(({ url }) => String(url));
  const success = Object.entries(record(operation["responses"]))
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, response]) => Object.keys(record(record(deref(document, response))["content"])));
  return [
    ...has(typeof id !== "string", "no operationId"),
    ...has(typeof id === "string" && id.length > 64, "operationId over 64 characters"),
    ...has(
      urls.some((url) => url.includes("{")),
      "server variables",
    ),
    ...has(
      urls.some((url) => url.startsWith("/")),
      "relative servers",
    ),
    ...has((operation["servers"] ?? item["servers"]) !== undefined, "servers of their own"),
    ...has((operation["security"] ?? document["security"]) !== undefined, "security"),
    ...has(
      success.some((type) => /octet|image|zip|pdf|audio|video/u.test(type)),
      "files as answers",
    ),
    ...has(success.includes("text/event-stream"), "events as answers"),
  ];
}

export function rawOperations(document: Raw): RawOperation[] {
  return Object.entries(record(document["paths"])).flatMap(([path, described]) => {
    if (path.startsWith("x-")) return [];
    const item = record(deref(document, described));
    return Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, value]): RawOperation => {
        const operation = record(value);
        const parameters = merged(document, [item["parameters"], operation["parameters"]]);
        const given = deref(document, operation["requestBody"]);
        const body = isRecord(given) ? given : undefined;
        const features = [
          ...parameterFeatures(item, operation, parameters),
          ...bodyFeatures(body),
          ...otherFeatures(document, item, operation),
        ];
        return { path, method, operation, parameters, body, features };
      });
  });
}
