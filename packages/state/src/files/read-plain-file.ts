import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import type { Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Why a file was not read, with a code like those of the system. */
class NotPlainError extends Error {
  readonly code: "ENOTPLAIN" | "EFBIG";

  constructor(code: NotPlainError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Without this flag, opening a pipe waits for a writer. Windows has neither the flag nor such
 * pipes.
 */
const NO_WAIT = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

function assertPlain(found: Stats, maxBytes: number): void {
  if (found.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  if (!found.isFile()) throw new NotPlainError("ENOTPLAIN", "it is a pipe or a device");
  if (found.size > maxBytes) {
    throw new NotPlainError("EFBIG", `it is larger than ${maxBytes} bytes`);
  }
}

/**
 * Reads a file from an untrusted folder, such as a cloned repository. Only a regular file of at
 * most `maxBytes` is read: reading a device would never end, and a pipe would block the process.
 */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path, NO_WAIT);
  try {
    assertPlain(await file.stat(), maxBytes);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The synchronous form of `readPlainFile`. */
export function readPlainFileSync(path: string, maxBytes: number): Buffer<ArrayBuffer> {
  const file = openSync(path, NO_WAIT);
  try {
    assertPlain(fstatSync(file), maxBytes);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
