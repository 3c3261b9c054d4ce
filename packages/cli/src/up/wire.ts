/** A command for the process of `waybill up`, with everything that its run depends on. */
export interface UpRequest {
  /** The version of the client. Another version may behave differently. */
  readonly version: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
  /** Standard input in base64, for a command that reads it. */
  readonly stdin?: string;
}

/** One line of the response: text for one of the streams, or the end of the command. */
export type UpLine =
  | readonly ["out" | "err", text: string]
  /** The background process did nothing, so the client runs the command itself. */
  | readonly ["refused", why: string]
  | readonly ["exit", code: number];

/** The status of the process of `waybill up`. */
export interface UpStatus {
  readonly pid: number;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly idleMinutes: number;
  /** The number of commands so far, including running ones. */
  readonly commands: number;
  readonly running: number;
  readonly folders: readonly string[];
}

export const PATHS = { command: "/up/command", status: "/up/status", down: "/up/down" } as const;
