import { constants } from "node:fs";
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
 * Reads a file from an untrusted place, such as a cloned repository. Only a plain file of at most
 * `maxBytes` is read: a link to a device would never end, and a pipe would block the process.
 */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  // Without this flag, opening a pipe waits for a writer. Windows has neither the flag nor such
  // pipes.
  const noWait = (constants.O_NONBLOCK as number | undefined) ?? 0;
  const file = await open(path, constants.O_RDONLY | noWait);
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
    if (!found.isFile()) throw new NotPlainError("ENOTPLAIN", "it is a pipe or a device");
    if (found.size > maxBytes) {
      throw new NotPlainError("EFBIG", `it is larger than ${maxBytes} bytes`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}
