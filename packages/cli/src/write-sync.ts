import { fstatSync, writeSync } from "node:fs";

/** Whether the descriptor may be a terminal's; asking the stream itself takes longer than most answers. */
export function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Writes to a pipe or a file without the stream that Node makes for it, which costs a tenth of an
 * empty program's start. Returns what is left: whatever stops it, such as a full pipe that does not
 * wait or a reader who has gone, is a matter for the stream.
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
