/** A command as it is sent to the process of `waybill up`, with all that its run depends on. */
export interface UpRequest {
  /** Another build does things otherwise. */
  readonly version: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
  /** Its standard input in base64, for a command that reads it. */
  readonly stdin?: string;
}

/** A line of the answer: text for one of the streams, or how the command ended. */
export type UpLine =
  | readonly ["out" | "err", text: string]
  /** Nothing was done: the command runs by itself. */
  | readonly ["refused", why: string]
  | readonly ["exit", code: number];

/** How the process of `waybill up` stands. */
export interface UpStatus {
  readonly pid: number;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly idleMinutes: number;
  /** Commands that were run, and that run now. */
  readonly commands: number;
  readonly running: number;
  readonly folders: readonly string[];
}

export const PATHS = { command: "/up/command", status: "/up/status", down: "/up/down" } as const;
