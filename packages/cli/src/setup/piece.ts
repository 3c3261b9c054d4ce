import { UsageError } from "../usage-error.ts";

/** One file's part of a set-up: what it looks like with and without it. */
export interface Piece {
  readonly path: string;
  /** The text with the part in it. Throws where the file is broken or holds something else there. */
  add(before: string | undefined): string;
  /** The text without the part; undefined when nothing else is left and the file goes. */
  remove(before: string): string | undefined;
  /** Whether something of it stays on removal, since a user made it their own. */
  readonly keepsOwn?: (text: string) => boolean;
  /** The words that start the server, if the file names them exactly as `setup` writes them. */
  readonly server?: (text: string) => ServerInFile | undefined;
}

export interface ServerInFile {
  readonly words: readonly string[];
  readonly isWrittenBySetup: boolean;
}

/** A file that cannot be changed safely is left as it is. */
export function refuseFile(path: string, why: string, hint: string): UsageError {
  return new UsageError(`${path} ${why}; it was not changed`, { hint });
}

export function refuseOtherServer(path: string): UsageError {
  return refuseFile(path, "has another server called waybill", "Rename or remove that entry");
}
