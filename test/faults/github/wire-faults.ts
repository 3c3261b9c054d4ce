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

/** Every later request meets this, until the fault ends. */
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
  /** Only the caller's own deadline ends it. */
  readonly isEndless?: true;
}

const PAGE = "<html><body>Bad gateway</body></html>";
const NOT_FOUND = { status: 404, body: '{"message":"Not Found"}' };
const FORBIDDEN = {
  status: 403,
  body: '{"message":"Resource not accessible by personal access token"}',
};

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
  "no response": { passes: "all", answer: "silence", isEndless: true },
  "trickled response": { passes: "all", answer: "trickle", isEndless: true },
} as const satisfies Readonly<Record<string, WireFault>>;

export type WireFaultName = keyof typeof WIRE_FAULTS;
export const WIRE_FAULT_NAMES = Object.keys(WIRE_FAULTS) as WireFaultName[];

export function wireFault(name: WireFaultName): WireFault {
  return WIRE_FAULTS[name];
}

/** Whether a probe that follows can read, and would see what was applied. */
export function readsWork(name: WireFaultName): boolean {
  const { passes, after, isEndless } = wireFault(name);
  return passes !== "late" && after === undefined && isEndless !== true;
}
