import type { Outcome } from "@waybill/core";

export type Face = "rest" | "graphql";

/**
 * The conclusion that a caller can draw after a fault: the outcome, or that the outcome is unknown.
 */
export type Meaning = Outcome | "fine";

/** The fault, and the point at which it happens. */
export type Act =
  /** The call itself is refused, so no route is tried. */
  | { readonly at: "call"; readonly how: "invalid" | "aborted" | "no-route" }
  /**
   * A requirement of the call fails before anything is sent, or hangs until the caller's deadline.
   */
  | {
      readonly at: "call";
      readonly how: "preflight" | "token";
      readonly until?: "deadline";
    }
  /** The connection goes to an address where nothing listens. */
  | { readonly at: "connect"; readonly to: "closed" | "tls" | "trapdoor" }
  | { readonly at: "headers"; readonly how: "reset" }
  | { readonly at: "request"; readonly how: "reset" | "end" | "half-status" | "not-http" }
  /** The upstream stays silent until something else ends the call. */
  | {
      readonly at: "request";
      readonly how: "silent";
      readonly until: "limit" | "deadline" | "cancel";
    }
  /** Resets the connection at once and applies the write a moment later. */
  | { readonly at: "request"; readonly how: "late" }
  /** Waits so long that the date of the write is unambiguous, applies it, then resets. */
  | { readonly at: "request"; readonly how: "slow" }
  | {
      readonly at: "answer";
      readonly how: "status";
      readonly status: number;
      readonly isCut?: true;
    }
  | {
      readonly at: "answer";
      readonly how: "redirect";
      readonly status: number;
      readonly to: "here" | "elsewhere";
    }
  | { readonly at: "answer"; readonly how: "cut"; readonly framing: "length" | "chunked" }
  | {
      readonly at: "answer";
      readonly how: "body";
      readonly body: string;
      readonly type?: string;
    }
  | { readonly at: "fields"; readonly how: FieldFault };

/** How a GraphQL upstream fails with errors in its answer. */
export type FieldFault =
  | "rejected"
  | "rejected-400"
  | "rate-limited"
  | "root-error"
  | "root-forbidden"
  | "root-null"
  | "root-vague"
  | "below-root"
  | "below-root-kept"
  | "pathless"
  /** All data, and an error that belongs to none of it. */
  | "remark"
  | "limited-beside"
  /** The data with the first field null, and an error that belongs to no field. */
  | "limited-null";

export interface Fault {
  readonly name: string;
  /** The point of the call path at which the fault happens: a row of the matrix. */
  readonly point: string;
  readonly act: Act;
  /** Whether the upstream applies the write despite the failure. */
  readonly applies: boolean;
  /** Absent if this API cannot fail in this way. */
  readonly rest?: Meaning;
  readonly graphql?: Meaning;
}

type Named = readonly [name: string, act: Act];

/** Faults of one point that mean the same on both APIs. */
function point(name: string, meaning: Meaning, faults: readonly Named[]): Fault[] {
  return faults.map(([own, act]) => ({
    name: own,
    point: name,
    act,
    applies: false,
    rest: meaning,
    graphql: meaning,
  }));
}

function afterApplying(fault: Fault): Fault {
  const { name, point: where } = fault;
  return { ...fault, name: `${name}, applied`, point: `${where}, applied`, applies: true };
}

/**
 * Two versions of a fault: one before and one after the write is applied. The caller cannot tell
 * them apart.
 */
function twice(name: string, faults: readonly Named[]): Fault[] {
  const before = point(name, "unknown", faults);
  return [...before, ...before.map(afterApplying)];
}

/**
 * A 2xx without a useful body. With REST the status means that the write was applied. GraphQL sends
 * it in any case.
 */
function success(name: string, faults: readonly Named[]): Fault[] {
  return twice(name, faults).map(({ rest: _rest, ...fault }) =>
    fault.applies ? { ...fault, rest: "applied" } : fault,
  );
}

function status(code: number): Named {
  return [String(code), { at: "answer", how: "status", status: code }];
}

function cutStatus(code: number): Named {
  return [`${code} cut`, { at: "answer", how: "status", status: code, isCut: true }];
}

function garbage(name: string, body: string): Named {
  return [`garbage ${name}`, { at: "answer", how: "body", body }];
}

function redirect(code: number, to: "here" | "elsewhere"): Named {
  return [`${code} ${to}`, { at: "answer", how: "redirect", status: code, to }];
}

function silent(until: "limit" | "deadline" | "cancel"): readonly Named[] {
  return [[`silent, ${until}`, { at: "request", how: "silent", until }]];
}

const BEFORE: readonly Fault[] = [
  ...point("call refused", "not_applied", [
    ["invalid input", { at: "call", how: "invalid" }],
    ["aborted before", { at: "call", how: "aborted" }],
    ["no such route", { at: "call", how: "no-route" }],
  ]),
  ...point("not ready to send", "not_applied", [
    ["preflight fails", { at: "call", how: "preflight" }],
    ["preflight hangs", { at: "call", how: "preflight", until: "deadline" }],
    ["token fails", { at: "call", how: "token" }],
    ["token hangs", { at: "call", how: "token", until: "deadline" }],
  ]),
  ...point("no connection", "not_applied", [
    ["refused", { at: "connect", to: "closed" }],
    ["tls", { at: "connect", to: "tls" }],
  ]),
];

const SENT: readonly Fault[] = [
  ...point("reset before reading", "unknown", [
    ["reset on accept", { at: "connect", to: "trapdoor" }],
    ["reset on headers", { at: "headers", how: "reset" }],
  ]),
  ...twice("reset after reading", [
    ["reset", { at: "request", how: "reset" }],
    ["end", { at: "request", how: "end" }],
  ]),
  ...twice("half a status line", [["half", { at: "request", how: "half-status" }]]),
  ...twice("not HTTP", [["not HTTP", { at: "request", how: "not-http" }]]),
  ...twice("no answer", silent("limit")),
  ...twice("no answer, deadline", silent("deadline")),
  ...twice("no answer, cancelled", silent("cancel")),
  ...point("applied late", "unknown", [["late", { at: "request", how: "late" }]]),
  ...point("applied after a while", "unknown", [["slow", { at: "request", how: "slow" }]]),
];

const REFUSALS = [400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 421, 422, 451];
const ANSWERED: readonly Fault[] = [
  ...point("4xx", "not_applied", [...REFUSALS.map(status), cutStatus(422)]),
  // Only without applying: a 429 means that the upstream did nothing.
  ...point("429", "not_applied", [status(429)]),
  ...twice("5xx", [...[500, 502, 503, 504].map(status), cutStatus(502)]),
  ...twice("408, 425", [408, 425].map(status)),
  ...point(
    "redirect elsewhere",
    "not_applied",
    [301, 307, 308].map((code) => redirect(code, "elsewhere")),
  ),
  ...point(
    "redirect here",
    "fine",
    [307, 308].map((code) => redirect(code, "here")),
  ),
  ...success("answer cut", [
    ["cut, length", { at: "answer", how: "cut", framing: "length" }],
    ["cut, chunked", { at: "answer", how: "cut", framing: "chunked" }],
  ]),
  // The page may come from a proxy, so the outcome is unknown, even with REST.
  ...twice("a web page", [
    [
      "web page",
      { at: "answer", how: "body", body: "<html>Sign in</html>", type: "text/html; charset=utf-8" },
    ],
  ]),
  ...success("garbage", [
    garbage("html", "<html>Sign in</html>"),
    garbage("half", '{"data": {"createNo'),
    garbage("empty", ""),
    garbage("other", '"surprise"'),
  ]),
];

function fields(name: string, meaning: Meaning, hows: readonly FieldFault[]): Fault[] {
  return hows.map((how) => ({
    name: how,
    point: name,
    act: { at: "fields", how },
    applies: meaning === "applied" || meaning === "fine",
    graphql: meaning,
  }));
}

const VAGUE_FIELDS = fields("GraphQL: something went wrong", "unknown", [
  "root-vague",
  "pathless",
  "limited-null",
]);
const FIELDS: readonly Fault[] = [
  ...fields("GraphQL: document rejected", "not_applied", [
    "rejected",
    "rejected-400",
    "rate-limited",
  ]),
  ...fields("GraphQL: root error", "not_applied", ["root-error", "root-forbidden", "root-null"]),
  ...VAGUE_FIELDS,
  ...VAGUE_FIELDS.map(afterApplying),
  ...fields("GraphQL: error below root", "applied", ["below-root"]),
  ...fields("GraphQL: part missing", "fine", ["below-root-kept"]),
  ...fields("GraphQL: error beside data", "fine", ["remark", "limited-beside"]),
];

/** Every way in which a call can fail, by the point of failure. */
export const FAULTS: readonly Fault[] = [...BEFORE, ...SENT, ...ANSWERED, ...FIELDS];
export const POINTS: readonly string[] = [...new Set(FAULTS.map((fault) => fault.point))];

const byName = new Map(FAULTS.map((fault) => [fault.name, fault]));

export function faultNamed(name: string | undefined): Fault | undefined {
  return name === undefined ? undefined : byName.get(name);
}

/** The sender of a request: our own transport, or `gh`. */
export type Carrier = "http" | "gh";

/**
 * `gh` follows redirects itself, and this test cannot give it a limit, a TLS error or an early end.
 */
function isBeyondGh({ act }: Fault): boolean {
  if (act.at === "connect") return act.to !== "closed";
  return "how" in act && (act.how === "redirect" || ("until" in act && act.until === "limit"));
}

/** The allowed conclusion; undefined if such a request cannot fail in this way. */
export function findMeaning(fault: Fault, face: Face, carrier: Carrier): Meaning | undefined {
  if (carrier === "http" || fault[face] === undefined) return fault[face];
  if (isBeyondGh(fault)) return undefined;
  // For a failed connection, `gh` only says that there was no answer.
  return fault.act.at === "connect" ? "unknown" : fault[face];
}
