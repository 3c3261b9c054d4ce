/** An answer before it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A value is sent as JSON; a buffer is sent unchanged, with its own content type. */
  readonly body: unknown;
}

const DOCS = "https://docs.github.com/rest";

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, body };
}

export function ok(body: unknown): Reply {
  return json(200, body);
}

export function created(body: unknown): Reply {
  return json(201, body);
}

export const noContent: Reply = { status: 204, headers: {}, body: undefined };

export function raw(body: Buffer, contentType: string): Reply {
  return { status: 200, headers: { "content-type": contentType }, body };
}

export function redirect(status: 301 | 302 | 307, location: string, body?: unknown): Reply {
  return { status, headers: { location }, body };
}

/** A failure with GitHub's message. */
export function failure(
  status: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  return json(status, { message, ...more, documentation_url: DOCS, status: String(status) });
}
