/** The code of an SQLite error, such as `SQLITE_BUSY`, or of the file system's. */
function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}

/** Another connection has the file for a moment; asking again is all that is needed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
}

/** What a user can do about it, by the kind of failure. The file itself is never touched. */
const REMEDIES: readonly (readonly [RegExp, string, string])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "is locked", "another program holds it: call again later"],
  [
    /^(SQLITE_(CORRUPT|NOTADB)|FILE_DAMAGED)/,
    "is damaged",
    "move the file aside, with those beside it that end in -journal, -wal and -shm, and call again",
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "is on a full disk", "free some space and call again"],
  [/^(SQLITE_READONLY|SQLITE_PERM|EROFS|EACCES|EPERM)/, "is read-only", "make it writable"],
  [
    /^NO_DRIVER/,
    `needs SQLite, whose binary for ${process.platform}-${process.arch} is not installed`,
    "install Waybill again with its optional dependencies; there is no binary for Windows on arm64, so call without an idempotency key there",
  ],
  [/^FILE_NEWER/, "was written by a newer version", "use that version"],
  [/^FILE_OLDER/, "was written by a version that is too old", "move the file aside and call again"],
  [/^FILE_MOVED/, "does not stay in place", "see what moves or deletes it"],
  [/^FILE_CLOSED/, "is closed", "the process is shutting down: call again"],
];
const OTHERWISE = ["cannot be used", "see whether its folder exists and can be written"] as const;

/** An error of our own that the table above knows. */
export function fileError(
  code: "FILE_NEWER" | "FILE_OLDER" | "FILE_DAMAGED" | "FILE_MOVED" | "FILE_CLOSED" | "NO_DRIVER",
  cause?: unknown,
): Error {
  return Object.assign(new Error(code, { cause }), { code });
}

/** What is wrong with a file, and what to do. */
export interface FileTrouble {
  readonly problem: string;
  readonly remedy: string;
  readonly isDamage: boolean;
}

export function troubleOf(error: unknown): FileTrouble {
  const code = codeOf(error);
  const found = REMEDIES.find(([pattern]) => pattern.test(code));
  const [problem, remedy] = found === undefined ? OTHERWISE : [found[1], found[2]];
  return { problem, remedy, isDamage: problem === "is damaged" };
}
