import type { Conversation, Reply } from "../conversation.ts";

/** The wire format of one kind of endpoint. */
export interface Format {
  readonly name: "openai" | "anthropic";
  /** The URL of a request, from the base URL that people configure. */
  url(base: URL): URL;
  headers(key: string | undefined): Record<string, string>;
  body(model: string, conversation: Conversation): unknown;
  /** Throws a `ShapeError` for an invalid answer. */
  read(body: unknown): Reply;
}

/** An answer that does not match the format. */
export class ShapeError extends Error {}

/** The base URL with a path, if it does not end with that path already. */
export function withPath(base: URL, path: string): URL {
  const url = new URL(base);
  const own = base.pathname.replace(/\/+$/u, "");
  url.pathname = own.endsWith(path) ? own : `${own}${path}`;
  return url;
}

export function countIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}

export function stringIn(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new ShapeError(`${what} is not a string`);
}
