import type { Conversation, Reply } from "../conversation.ts";

/** How one kind of endpoint is spoken to. */
export interface Format {
  readonly name: "openai" | "anthropic";
  /** The address of a request, from the base that people write down. */
  url(base: URL): URL;
  headers(key: string | undefined): Record<string, string>;
  body(model: string, conversation: Conversation): unknown;
  /** Throws a `ShapeError` for what is no answer of this kind. */
  read(body: unknown): Reply;
}

/** An answer that is not of the format. */
export class ShapeError extends Error {}

/** The base with a path behind it, unless somebody has written the whole address. */
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
  throw new ShapeError(`${what} is no text`);
}
