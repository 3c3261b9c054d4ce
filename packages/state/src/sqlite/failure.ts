/** The code of an SQLite error, such as `SQLITE_BUSY`, or of a file system error. */
function sqliteErrorCode(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : "";
}

/** Whether another connection is using the file. Then a retry is enough. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(sqliteErrorCode(error));
}

/** The problem and the fix for each kind of failure. Waybill never changes the file itself. */
const REMEDIES: readonly (readonly [RegExp, string, string])[] = [
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    "is locked",
    "another program has locked it: call again later",
  ],
  [
    // SQLITE_ERROR means that a table or a column is missing in the file, because Waybill's SQL
    // is fixed.
    /^(SQLITE_(CORRUPT|NOTADB|ERROR)|FILE_DAMAGED)/,
    "is damaged",
    "move the file away, with its -journal, -wal and -shm files, and call again",
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, "is on a full disk", "free some space and call again"],
  [
    /^(SQLITE_READONLY|SQLITE_PERM|EROFS|EACCES|EPERM)/,
    "is read-only",
    "make it writable, or set WAYBILL_STATE to another folder",
  ],
  [
    /^NO_DRIVER/,
    `needs SQLite, whose binary for ${process.platform}-${process.arch} is not installed`,
    "install Waybill again with its optional dependencies; there is no binary for Windows on arm64, so call without an idempotency key there",
  ],
  [
    /^FILE_NEWER/,
    "was written by a newer version of Waybill",
    "use that version, or move the file away and call again",
  ],
  [
    /^FILE_OLDER/,
    "was written by a version of Waybill that is too old",
    "move the file away and call again",
  ],
  [
    /^FILE_MOVED/,
    "was replaced while it was open",
    "find the program that moves or deletes it, and call again",
  ],
  [/^FILE_CLOSED/, "is closed", "the process is shutting down: call again"],
];
const OTHERWISE = [
  "cannot be used",
  "check that its folder exists and can be written, or set WAYBILL_STATE to another folder",
] as const;

/** An error of Waybill with one of these codes. */
export function fileError(
  code: "FILE_NEWER" | "FILE_OLDER" | "FILE_DAMAGED" | "FILE_MOVED" | "FILE_CLOSED" | "NO_DRIVER",
  cause?: unknown,
): Error {
  return Object.assign(new Error(code, { cause }), { code });
}

/** The problem with a file, and how to fix it. */
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
