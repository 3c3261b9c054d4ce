import { UsageError } from "../words/usage-error.ts";

/** The part of one file that `setup` adds and removes. */
export interface Piece {
  readonly path: string;
  /**
   * The text of the file with the part added. Throws if the file is broken or has something else in
   * that place.
   */
  add(before: string | undefined): string;
  /**
   * The text of the file without the part; undefined if nothing else is left and the file can be
   * deleted.
   */
  remove(before: string): string | undefined;
  /** Whether removal keeps something, because the user changed it. */
  readonly keepsOwn?: (text: string) => boolean;
  /** The command that starts the server, if it is exactly as `setup` writes it. */
  readonly server?: (text: string) => ServerInFile | undefined;
}

export interface ServerInFile {
  readonly words: readonly string[];
  readonly isWrittenBySetup: boolean;
}

/** The error for a file that cannot be changed safely. */
export function refuseFile(path: string, why: string, hint: string): UsageError {
  return new UsageError(`${path} ${why}; it was not changed`, { hint });
}

export function refuseOtherServer(path: string): UsageError {
  return refuseFile(
    path,
    "has another server called waybill",
    "Rename or remove that entry, then run this again",
  );
}
