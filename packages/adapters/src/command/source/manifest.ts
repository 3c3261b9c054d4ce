import type { Effect, ErrorCode, JsonSchema } from "@waybill/core";

/** A word of a command line, or words that belong together. See `argv-template.ts`. */
export type ArgvItem = string | readonly string[];

export const OUTPUTS = ["json", "ndjson", "lines", "text"] as const;

/** One thing that a program can do. */
export interface ManifestOperation {
  readonly description: string;
  /** It was guessed from the program's help; it cannot be called before somebody removes this. */
  readonly guess?: boolean;
  /** (default: `write`, because no other default is safe) */
  readonly effect?: Effect;
  readonly idempotent?: boolean;
  readonly argv: readonly ArgvItem[];
  /** Name → JSON Schema. */
  readonly input?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** The input that the program reads from standard input. */
  readonly stdin?: string;
  readonly output?: (typeof OUTPUTS)[number];
  readonly output_schema?: JsonSchema;
  /** The meaning of exit codes other than 0. */
  readonly exit_codes?: Readonly<Record<string, ErrorCode>>;
  readonly timeout_ms?: number;
}

/** The operations of a program, described in a small file. */
export interface CommandManifest {
  readonly program: string;
  /** Variables of the environment that it gets besides the usual ones. */
  readonly env?: readonly string[];
  readonly operations: Readonly<Record<string, ManifestOperation>>;
}
