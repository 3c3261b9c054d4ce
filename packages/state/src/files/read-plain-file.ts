import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Why a file was not read, with a code as those of the system. */
class NotPlainError extends Error {
  readonly code: "ENOTPLAIN" | "EFBIG";

  constructor(code: NotPlainError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a file that somebody else may have put there, such as one of a cloned repository. A link to
 * a device would be read without end, and a pipe would block the process, so only a plain file of at
 * most `maxBytes` is read.
 */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  // Without it, opening a pipe waits for a writer. Windows has neither the flag nor such pipes.
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
