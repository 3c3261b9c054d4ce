import { randomBytes } from "node:crypto";

/** One secret that the operating system stores for its user. */
export interface KeyringEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(password: string): Promise<void>;
}

/** Opens the system's keyring. Throws if there is none, such as on a server. */
export type OpenKeyring = () => Promise<KeyringEntry>;

const SERVICE = "waybill";
const ENTRY = "key of the connections";
const KEY_BYTES = 32;

/** Avoids the kernel's keyring, which may be the default on Linux and is lost on reboot. */
const PERSISTENT = { linux: { store: "secret-service" } } as const;

export const openSystemKeyring: OpenKeyring = async () => {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  return new AsyncEntry(SERVICE, ENTRY, PERSISTENT);
};

/** The key in the keyring, created when it is first needed. Undefined if there is no keyring. */
export async function keyringKey(
  open: OpenKeyring,
  mayCreate: boolean,
): Promise<Buffer | undefined> {
  try {
    const entry = await open();
    const known = await entry.getPassword();
    if (typeof known === "string" && known !== "") return Buffer.from(known, "base64");
    if (!mayCreate) return undefined;
    const key = randomBytes(KEY_BYTES);
    await entry.setPassword(key.toString("base64"));
    return key;
  } catch {
    return undefined;
  }
}

/** Whether this machine has a keyring that can be read. */
export async function hasKeyring(open: OpenKeyring): Promise<boolean> {
  try {
    await (await open()).getPassword();
    return true;
  } catch {
    return false;
  }
}
