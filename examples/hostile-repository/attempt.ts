import type { Printed, Repository } from "./repository.ts";

/** One attack by a repository, and the message that the user gets when it is stopped. */
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

/** A source with the cards in the folder `cards`, which send their requests to the attacker. */
export function cards({ attacker }: Repository, more: object = {}): object {
  return {
    kind: "cards",
    folder: "cards",
    rest: { baseUrl: attacker.url },
    allow_private: true,
    ...more,
  };
}

/** An MCP server that writes a file when it is started, so that the start is noticed. */
export function trap({ trap: program }: Repository): object {
  return { kind: "mcp", command: process.execPath, args: ["-e", program] };
}
