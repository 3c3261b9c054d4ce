// The ways in which a write can be lost between Waybill and GitHub.

export interface Status {
  readonly status: number;
  readonly body?: string;
  /** `{path}` in a location stands for the path of the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Answer =
  | Status
  | "reset"
  | "down"
  | "half-headers"
  | "half-body"
  | "half-chunk"
  | "trickle"
  | "silence";

/** The fault of every later request, until the fault ends. */
export interface AfterWrite {
  /** `down`: nothing listens. */
  readonly answer: Answer;
}

export interface WireFault {
  /**
   * How much of the request reaches the upstream. `late`: all of it, after the caller was
   * disconnected.
   */
  readonly passes: "nothing" | "half" | "all" | "late";
  readonly answer: Answer;
  readonly after?: AfterWrite;
  /** Only the caller's own deadline ends the call. */
  readonly isEndless?: true;
}

const PAGE = "<html><body>Bad gateway</body></html>";
const NOT_FOUND = { status: 404, body: '{"message":"Not Found"}' };
const FORBIDDEN = {
  status: 403,
  body: '{"message":"Resource not accessible by personal access token"}',
};
/** Another server answers as if the write had succeeded. */
const GATEWAY = { status: 200, body: '{"status":"ok","name":"gateway"}' };
const EMPTY = { status: 200, body: "[]" };

const WIRE_FAULTS = {
  "reset before": { passes: "nothing", answer: "reset" },
  "cut in the request": { passes: "half", answer: "reset" },
  "response lost": { passes: "all", answer: "reset" },
  "response headers cut": { passes: "all", answer: "half-headers" },
  "response body cut": { passes: "all", answer: "half-body" },
  "response chunk cut": { passes: "all", answer: "half-chunk" },
  "502 before": { passes: "nothing", answer: { status: 502, body: PAGE } },
  "502 after": { passes: "all", answer: { status: 502, body: PAGE } },
  "504 after": { passes: "all", answer: { status: 504, body: PAGE } },
  "applied late": { passes: "late", answer: "reset" },
  "307 to the same host": {
    passes: "nothing",
    answer: { status: 307, headers: { location: "{path}" } },
  },
  "308 to another host": {
    passes: "nothing",
    answer: { status: 308, headers: { location: "http://127.0.0.1:9{path}" } },
  },
  "upstream killed before": { passes: "nothing", answer: "reset", after: { answer: "down" } },
  "upstream killed after": { passes: "all", answer: "reset", after: { answer: "down" } },
  "lost, then reads are cut": { passes: "all", answer: "reset", after: { answer: "reset" } },
  "lost, then access is lost": { passes: "all", answer: "reset", after: { answer: NOT_FOUND } },
  "lost, then reads are denied": { passes: "all", answer: "reset", after: { answer: FORBIDDEN } },
  "answered by a gateway before": { passes: "nothing", answer: GATEWAY },
  "answered by a gateway after": { passes: "all", answer: GATEWAY },
  "not sent, then a gateway answers": {
    passes: "nothing",
    answer: "reset",
    after: { answer: GATEWAY },
  },
  "lost, then a gateway answers": { passes: "all", answer: "reset", after: { answer: EMPTY } },
  "no response": { passes: "all", answer: "silence", isEndless: true },
  "trickled response": { passes: "all", answer: "trickle", isEndless: true },
} as const satisfies Readonly<Record<string, WireFault>>;

export type WireFaultName = keyof typeof WIRE_FAULTS;
export const WIRE_FAULT_NAMES = Object.keys(WIRE_FAULTS) as WireFaultName[];

export function wireFault(name: WireFaultName): WireFault {
  return WIRE_FAULTS[name];
}

/** Whether a later probe can read, and would find an applied write. */
export function readsWork(name: WireFaultName): boolean {
  const { passes, after, isEndless } = wireFault(name);
  return passes !== "late" && after === undefined && isEndless !== true;
}
