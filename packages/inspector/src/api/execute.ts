import { request } from "./ask.ts";

/** The answer to a call, as the page shows it. */
export interface Ran {
  readonly envelope: unknown;
  readonly ok: boolean;
  /** Whether the call is a dry run, which only shows the requests that would be sent. */
  readonly isDry: boolean;
  readonly requestId: string | undefined;
  /** Size of the answer's JSON, in characters. */
  readonly size: number;
  readonly error: RanError | undefined;
}

interface RanError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** The id of the approval that the call waits for. */
  readonly approval: string | undefined;
  /** The outcome of a write. */
  readonly outcome: string | undefined;
}

interface EnvelopeLike {
  readonly ok?: boolean;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  } | null;
  readonly meta?: { readonly request_id?: string };
}

/**
 * Runs a capability. Every response counts as an answer, even an error. Throws only if there is no
 * response.
 */
export async function execute(
  id: string,
  params: unknown,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Ran> {
  const path = `/v1/execute/${encodeURIComponent(id)}`;
  const response = await request(path, { body: { params, options: { ...options, trace: true } } });
  const text = await response.text();
  const envelope = JSON.parse(text) as EnvelopeLike;
  return {
    envelope,
    ok: envelope.ok === true,
    isDry: options["dry_run"] === true,
    requestId: envelope.meta?.request_id,
    size: text.length,
    error: errorIn(envelope),
  };
}

function errorIn({ error }: EnvelopeLike): RanError | undefined {
  if (error === undefined || error === null) return undefined;
  const details = error.details ?? {};
  return {
    code: error.code,
    message: error.message,
    hint: detailText(details, "hint"),
    approval: detailText(details, "approval"),
    outcome: detailText(details, "outcome"),
  };
}

function detailText(details: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = details[name];
  return typeof value === "string" ? value : undefined;
}
