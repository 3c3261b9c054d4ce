import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nextVersion } from "./next-version.ts";

/** The parts of a card that callers rely on. */
export interface CardContract {
  readonly id: string;
  readonly version: string;
  readonly effect: string;
  readonly idempotent: boolean;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
}

/** The cards and envelopes of one state of the repository. */
export interface Contracts {
  readonly version: string;
  readonly cards: ReadonlyMap<string, CardContract>;
  readonly envelopes: ReadonlyMap<string, unknown>;
}

/** A generated file that is committed, so that every revision has it. */
const CARDS = "packages/github/generated/cards.ndjson";
const ENVELOPES = "docs/reference/envelopes.json";
const CORE = "packages/core/package.json";
const MAX_BYTES = 64 * 1024 * 1024;

/** The tags of `changeset publish`. All packages have the same version. */
const TAGS = "waybill@*";

type ReadFile = (path: string) => string;

function git(root: string, ...args: string[]): string {
  const options = { cwd: root, encoding: "utf8", maxBuffer: MAX_BYTES } as const;
  return execFileSync("git", args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
}

function contractsFrom(read: ReadFile): Contracts {
  const lines = read(CARDS).split("\n").filter(Boolean);
  const cards = lines.map((line) => JSON.parse(line) as CardContract);
  const envelopes = JSON.parse(read(ENVELOPES)) as Record<string, unknown>;
  const { version } = JSON.parse(read(CORE)) as { version: string };
  return {
    version,
    cards: new Map(cards.map((card) => [card.id, card])),
    envelopes: new Map(Object.entries(envelopes)),
  };
}

/** The contracts of the current files, with the version of the next release. */
export function contractsNow(root: string): Contracts {
  const contracts = contractsFrom((path) => readFileSync(join(root, path), "utf8"));
  return { ...contracts, version: nextVersion(root, contracts.version) };
}

/** The contracts of a committed revision. */
export function contractsAt(root: string, revision: string): Contracts {
  return contractsFrom((path) => {
    try {
      return git(root, "show", `${revision}:${path}`);
    } catch {
      throw new Error(`${revision} has no ${path}, so nothing can be compared with it`);
    }
  });
}

/** The tag of the newest release before this state, if there is one. */
export function lastRelease(root: string): string | undefined {
  const newest = ["-c", "versionsort.suffix=-", "tag", "--sort=-version:refname"];
  return git(root, ...newest, "--merged", "HEAD", "--list", TAGS)
    .split("\n")
    .find(Boolean);
}
