import type { Effect, ErrorCode, JsonSchema } from "@waybill/core";

/**
 * A word of a command line, or several words that are kept or omitted together. See
 * `argv-template.ts`.
 */
export type ArgvItem = string | readonly string[];

export const OUTPUTS = ["json", "ndjson", "lines", "text"] as const;

/** One operation of a program. */
export interface ManifestOperation {
  readonly description: string;
  /**
   * Whether the operation was guessed from the program's help. It cannot be called until a
   * person removes this member.
   */
  readonly guess?: boolean;
  /** The effect (default: `write`, because no other default is safe). */
  readonly effect?: Effect;
  readonly idempotent?: boolean;
  readonly argv: readonly ArgvItem[];
  /** The inputs, each with its JSON Schema. */
  readonly input?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** The input that is passed on standard input. */
  readonly stdin?: string;
  readonly output?: (typeof OUTPUTS)[number];
  readonly output_schema?: JsonSchema;
  /** The meaning of exit codes other than 0. */
  readonly exit_codes?: Readonly<Record<string, ErrorCode>>;
  readonly timeout_ms?: number;
}

/** The operations of a program, as described in a file. */
export interface CommandManifest {
  readonly program: string;
  /** Environment variables that the program gets besides the usual ones. */
  readonly env?: readonly string[];
  readonly operations: Readonly<Record<string, ManifestOperation>>;
}
