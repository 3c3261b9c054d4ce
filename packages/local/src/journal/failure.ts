import { fail, isCallError } from "@waybill/core";
import type { CallError, Outcome } from "@waybill/core";

/** The code of an SQLite error, such as `SQLITE_BUSY`, or of the file system's. */
function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}

/** Another connection has the file for a moment; asking again is all that is needed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
}

const DAMAGED =
  "move the file aside, with those beside it that end in -wal and -shm, and call again; keys " +
  "used before are then forgotten, so look first whether those writes were applied";

/** What a user can do about it, by the kind of failure. The file itself is never touched. */
const REMEDIES: readonly (readonly [RegExp, string, string])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "is locked", "another program holds it: call again later"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "is damaged", DAMAGED],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "is on a full disk", "free some space and call again"],
  [/^(SQLITE_READONLY|SQLITE_PERM|EROFS|EACCES|EPERM)/, "is read-only", "make it writable"],
  [/^(MODULE_NOT_FOUND|ERR_MODULE_NOT_FOUND)/, "has no driver", "install libsql for this system"],
  [/^JOURNAL_NEWER/, "was written by a newer version", "use that version"],
  [/^JOURNAL_MOVED/, "does not stay in place", "see what moves or deletes it"],
  [/^JOURNAL_CLOSED/, "is closed", "the process is shutting down: call again"],
];
const OTHERWISE = ["cannot be used", "see whether its folder exists and can be written"] as const;

/** An error of our own that the table above knows. */
export function journalError(code: "JOURNAL_NEWER" | "JOURNAL_MOVED" | "JOURNAL_CLOSED"): Error {
  return Object.assign(new Error(code), { code });
}

/** A failing store as the caller sees it: which file, what is wrong, what to do. */
export function storeFailure(error: unknown, path: string, outcome: Outcome): CallError {
  if (isCallError(error)) return error;
  const code = codeOf(error);
  const found = REMEDIES.find(([pattern]) => pattern.test(code));
  const [problem, remedy] = found === undefined ? OTHERWISE : [found[1], found[2]];
  return fail(
    "NOT_READY",
    `The journal of writes ${problem}`,
    { outcome, hint: `${path}: ${remedy}` },
    { cause: error },
  );
}

/** Somebody else has the key now, so this call must not send. */
export function leaseLost(): CallError {
  return fail("NOT_READY", "Another call took over this idempotency key", {
    outcome: "not_applied",
    hint: "Call again with the same key to get its result",
  });
}
