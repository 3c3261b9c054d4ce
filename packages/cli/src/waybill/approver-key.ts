import { randomBytes, randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@waybill/core";
import { ensurePrivateFolder } from "@waybill/local";

const KEY_BYTES = 32;

/** Written beside and linked into place: whoever comes first makes the key, nobody reads half. */
async function createKey(path: string, folder: string): Promise<Uint8Array> {
  await ensurePrivateFolder(folder);
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, randomBytes(KEY_BYTES), { mode: 0o600, flag: "wx" });
    await link(part, path).catch(() => {});
  } finally {
    await rm(part, { force: true });
  }
  return readFile(path);
}

/** The secret behind approvals: an approval is good in this user's next process, and nowhere else. */
export async function approverKey(folder: string): Promise<Uint8Array> {
  const path = join(folder, "approver.key");
  const outcome = "not_applied";
  try {
    const key = await readFile(path).catch(() => createKey(path, folder));
    if (key.byteLength === KEY_BYTES) return key;
  } catch (cause) {
    throw fail("NOT_READY", `${path} cannot be read or made`, { outcome }, { cause });
  }
  throw fail("NOT_READY", `${path} is not a key; remove it to get a new one`, { outcome });
}
