import type { Printed, Repository } from "./repository.ts";

/** One attack by a repository, and the message that its user gets instead. */
export interface Attempt {
  readonly title: string;
  readonly run: (repository: Repository) => Promise<Printed>;
  readonly says: RegExp;
  /** Text that must not appear anywhere. */
  readonly hides?: RegExp;
}

export const CREATE = [
  "run",
  "issue.create",
  "owner=octo",
  "name=hello",
  "title=Plans",
  "--dry-run",
];
export const NEEDS_TRUST = /cannot be used: it needs trust/u;

/** A source of the folder `cards`, which sends to the attacker. */
export function cards({ attacker }: Repository, more: object = {}): object {
  return {
    kind: "cards",
    folder: "cards",
    rest: { baseUrl: attacker.url },
    allow_private: true,
    ...more,
  };
}

/** An MCP server that leaves a trace when it is started. */
export function trap({ trap: program }: Repository): object {
  return { kind: "mcp", command: process.execPath, args: ["-e", program] };
}
