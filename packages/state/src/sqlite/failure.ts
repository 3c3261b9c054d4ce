/** The code of an SQLite error, such as `SQLITE_BUSY`, or of a file system error. */
function sqliteErrorCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}

/** Another connection is using the file. A retry is enough. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(sqliteErrorCode(error));
}

/** The problem and the remedy for each kind of failure. Waybill never changes the file itself. */
const REMEDIES: readonly (readonly [RegExp, string, string])[] = [
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    "is locked",
    "another program has locked it: call again later",
  ],
  [
    /^(SQLITE_(CORRUPT|NOTADB)|FILE_DAMAGED)/,
    "is damaged",
    "move the file away, with its -journal, -wal and -shm files, and call again",
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "is on a full disk", "free some space and call again"],
  [/^(SQLITE_READONLY|SQLITE_PERM|EROFS|EACCES|EPERM)/, "is read-only", "make it writable"],
  [
    /^NO_DRIVER/,
    `needs SQLite, whose binary for ${process.platform}-${process.arch} is not installed`,
    "install Waybill again with its optional dependencies; there is no binary for Windows on arm64, so call without an idempotency key there",
  ],
  [/^FILE_NEWER/, "was written by a newer version", "use that version"],
  [/^FILE_OLDER/, "was written by a version that is too old", "move the file away and call again"],
  [/^FILE_MOVED/, "was replaced while it was open", "see what moves or deletes it"],
  [/^FILE_CLOSED/, "is closed", "the process is shutting down: call again"],
];
const OTHERWISE = ["cannot be used", "see whether its folder exists and can be written"] as const;

/** An error of our own with a code from the table above. */
export function fileError(
  code: "FILE_NEWER" | "FILE_OLDER" | "FILE_DAMAGED" | "FILE_MOVED" | "FILE_CLOSED" | "NO_DRIVER",
  cause?: unknown,
): Error {
  return Object.assign(new Error(code, { cause }), { code });
}

/** The problem with a file, and the remedy. */
export interface FileTrouble {
  readonly problem: string;
  readonly remedy: string;
  readonly isDamage: boolean;
}

export function readTrouble(error: unknown): FileTrouble {
  const code = sqliteErrorCode(error);
  const found = REMEDIES.find(([pattern]) => pattern.test(code));
  const [problem, remedy] = found === undefined ? OTHERWISE : [found[1], found[2]];
  return { problem, remedy, isDamage: problem === "is damaged" };
}
