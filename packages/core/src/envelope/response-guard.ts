import { isRecord } from "./json.ts";
import { CONFORMANCES, EDITS } from "./response.ts";
import type { ResponseEnvelope } from "./response.ts";

type Facts = Readonly<Record<string, unknown>>;

function isStringValue(value: unknown): value is string {
  return typeof value === "string";
}

function isMissingOrText(value: unknown): boolean {
  return value === undefined || isStringValue(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isStringValue);
}

function isIn(names: readonly string[], value: unknown): boolean {
  return isStringValue(value) && names.includes(value);
}

function isChange(value: unknown): boolean {
  return isRecord(value) && isStringValue(value["path"]) && isIn(EDITS, value["edit"]);
}

function isSequence(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Most envelopes have only `conformance: "exact"`, so that case is checked first. */
function hasPipelineMeta({ conformance, changes, warnings, sequence }: Facts): boolean {
  return (
    (conformance === undefined || conformance === "exact" || isIn(CONFORMANCES, conformance)) &&
    (changes === undefined || (Array.isArray(changes) && changes.every(isChange))) &&
    (warnings === undefined || isTexts(warnings)) &&
    (sequence === undefined || isSequence(sequence))
  );
}

const AUDIENCES = ["user", "assistant"];

function isAudience(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isIn(AUDIENCES, one));
}

function isMissingOrAnnotations(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  const { audience, priority, lastModified } = value;
  return (
    (audience === undefined || isAudience(audience)) &&
    (priority === undefined || Number.isFinite(priority)) &&
    isMissingOrText(lastModified)
  );
}

function isResource(value: unknown): boolean {
  if (!isRecord(value) || !isStringValue(value["uri"])) return false;
  return [value["mimeType"], value["text"], value["blob"]].every(isMissingOrText);
}

function isLink(block: Facts): boolean {
  const { uri, name, title, description, mimeType, size, icons, _meta } = block;
  return (
    [uri, name].every(isStringValue) &&
    [title, description, mimeType].every(isMissingOrText) &&
    (size === undefined || Number.isFinite(size)) &&
    (icons === undefined || (Array.isArray(icons) && icons.every(isRecord))) &&
    (_meta === undefined || isRecord(_meta))
  );
}

function isContentBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  return hasContent(block) && isMissingOrAnnotations(block["annotations"]);
}

function hasContent(block: Facts): boolean {
  switch (block["type"]) {
    case "text":
      return isStringValue(block["text"]);
    case "image":
    case "audio":
      return isStringValue(block["data"]) && isStringValue(block["mimeType"]);
    case "resource":
      return isResource(block["resource"]);
    case "resource_link":
      return isLink(block);
    default:
      return false;
  }
}

function isHeaders(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isStringValue);
}

function isMcp({ isError, content, _meta }: Facts): boolean {
  return (
    typeof isError === "boolean" &&
    Array.isArray(content) &&
    content.every(isContentBlock) &&
    (_meta === undefined || isRecord(_meta))
  );
}

function hasSourceMeta(meta: Facts): boolean {
  switch (meta["source"]) {
    case "local":
      return (
        isStringValue(meta["operationId"]) &&
        Number.isFinite(meta["timestamp"]) &&
        (meta["answer"] === undefined || isRecord(meta["answer"]))
      );
    case "http":
      return (
        Number.isInteger(meta["statusCode"]) &&
        isStringValue(meta["contentType"]) &&
        isHeaders(meta["headers"]) &&
        (meta["told"] === undefined || isTexts(meta["told"]))
      );
    case "mcp":
      return isMcp(meta);
    case "cli":
      return (
        isTexts(meta["command"]) &&
        Number.isInteger(meta["exitCode"]) &&
        Number.isFinite(meta["durationMs"])
      );
    default:
      return false;
  }
}

/**
 * Accepts exactly the envelopes of Waybill, like their schema. Other data may also have `data` and
 * `meta.source`. So the required members of the source must exist, the others must have their
 * types, and no other member may stand beside `data` and `meta`.
 *
 * @example
 * ```ts
 * import { isResponseEnvelope, localEnvelope } from "@waybill/core";
 *
 * console.log(isResponseEnvelope(localEnvelope(1, "a.b")), isResponseEnvelope({ data: 1 }));
 * ```
 *
 * ```text
 * true false
 * ```
 */
export function isResponseEnvelope(value: unknown): value is ResponseEnvelope {
  if (typeof value !== "object" || value === null) return false;
  if (!Object.hasOwn(value, "meta") || !Object.hasOwn(value, "data")) return false;
  const meta: unknown = Reflect.get(value, "meta");
  if (typeof meta !== "object" || meta === null) return false;
  for (const key in value) {
    if (key !== "data" && key !== "meta") return false;
  }
  return hasSourceMeta(meta as Facts) && hasPipelineMeta(meta as Facts);
}
