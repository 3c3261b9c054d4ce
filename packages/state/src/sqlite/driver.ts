import { fileError } from "./failure.ts";

/**
 * SQLite is native code, and not every system has a binary for it. The rest of Waybill works
 * without it, so it is loaded when a file is first opened.
 */
export async function loadDriver(): Promise<typeof import("libsql")> {
  try {
    return (await import("libsql")).default;
  } catch (error) {
    throw fileError("NO_DRIVER", error);
  }
}

/** Whether this system has SQLite. Without it there is no journal and no history. */
export async function hasSqlite(): Promise<boolean> {
  return loadDriver().then(
    () => true,
    () => false,
  );
}
