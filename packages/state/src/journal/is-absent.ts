import { stat } from "node:fs/promises";

/** Whether there is no file yet. Throws if that cannot be determined. */
export async function isAbsent(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}
