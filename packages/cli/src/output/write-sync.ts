import { fstatSync, writeSync } from "node:fs";

/** Whether the descriptor may be a terminal. Asking the stream itself would take longer. */
export function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Writes to a pipe or file without creating Node's stream, which would take a tenth of the start
 * time of an empty program. Returns the unwritten rest for the stream, for example if a pipe is
 * full or its reader has gone.
 */
export function writeAtOnce(descriptor: number, text: string): Uint8Array {
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
  } catch {
    return left;
  }
  return left;
}
