/** Returns `application/json; charset=utf-8` without its parameters, in lower case. */
export function essence(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Decides how a body is written or read. */
export type BodyKind = "json" | "lines" | "form" | "multipart" | "text" | "binary" | "events";

const TEXT = /^text\/|[/+](?:xml|yaml|x-yaml|html|csv|javascript|graphql|sql)$/u;
/** One JSON value per line, or after a record separator (RFC 7464). */
const LINES = /[/+](?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|json-lines)$/u;

export function bodyKind(mediaType: string): BodyKind {
  const type = essence(mediaType);
  if (LINES.test(type)) return "lines";
  if (/[/+]json$|^\*\/\*$|^application\/\*$|^$/u.test(type) || type === "json") return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "text/event-stream") return "events";
  if (type.startsWith("multipart/") || type === "form-data") return "multipart";
  return TEXT.test(type) ? "text" : "binary";
}

/** The media type to send for a declared media type, which may be a range. */
export function concrete(mediaType: string): string {
  return bodyKind(mediaType) === "json" && /\*|^$|^json$/u.test(essence(mediaType))
    ? "application/json"
    : mediaType.includes("*")
      ? "application/octet-stream"
      : mediaType;
}
