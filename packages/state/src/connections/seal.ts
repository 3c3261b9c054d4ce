import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { hasKeyring, keyringKey, openSystemKeyring } from "./keyring.ts";
import type { OpenKeyring } from "./keyring.ts";

/**
 * How stored tokens are protected: by a key in the keyring, a passphrase, or only the file's
 * permissions.
 */
export type SealKind = "keyring" | "passphrase" | "file";

export interface SealOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyring?: OpenKeyring;
}

interface Encrypted {
  readonly version: typeof VERSION;
  readonly by: "keyring" | "passphrase";
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

const VERSION = 1;
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64_000_000 };

function derivedKey(passphrase: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, Buffer.from(salt, "base64"), KEY_BYTES, SCRYPT, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function unreadable(why: string, hint: string): Error {
  return fail("AUTH", `The stored tokens cannot be read: ${why}`, { outcome: "not_applied", hint });
}

function isEncrypted(value: unknown): value is Encrypted {
  return isRecord(value) && value["version"] === VERSION && typeof value["data"] === "string";
}

/**
 * Encrypts values before they are written to a file. The keyring has only the key and not the
 * tokens, because some keyrings accept at most 2 KB.
 */
export class Seal {
  readonly #passphrase: string | undefined;
  readonly #keyring: OpenKeyring | undefined;
  /** Caches derived keys, because deriving one is slow on purpose, to prevent guessing. */
  readonly #derived = new Map<string, Promise<Buffer>>();

  constructor({ env, keyring = openSystemKeyring }: SealOptions) {
    this.#passphrase = env["WAYBILL_PASSPHRASE"] || undefined;
    this.#keyring = env["WAYBILL_KEYRING"] === "off" ? undefined : keyring;
  }

  async kind(): Promise<SealKind> {
    if (this.#passphrase !== undefined) return "passphrase";
    const isThere = this.#keyring !== undefined && (await hasKeyring(this.#keyring));
    return isThere ? "keyring" : "file";
  }

  /** Encrypts a value for the file. */
  async close(value: unknown): Promise<unknown> {
    const chosen = await this.#keyToWrite();
    if (chosen === undefined) return { version: VERSION, by: "file", value };
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, chosen.key, iv);
    const data = Buffer.concat([cipher.update(JSON.stringify(value ?? null)), cipher.final()]);
    const sealed: Encrypted = {
      version: VERSION,
      by: chosen.by,
      salt: chosen.salt,
      iv: iv.toString("base64"),
      tag: cipher.getAuthTag().toString("base64"),
      data: data.toString("base64"),
    };
    return sealed;
  }

  /** Decrypts a value from the file; undefined if there is none. */
  async open(written: unknown): Promise<unknown> {
    if (!isRecord(written)) return undefined;
    const { version } = written;
    if (typeof version === "number" && version > VERSION) {
      const hint = "Use that version, or sign in again with waybill connect";
      throw unreadable("a newer version wrote them", hint);
    }
    if (!isEncrypted(written)) return written["value"];
    const key = await this.#keyToRead(written);
    try {
      const decipher = createDecipheriv(CIPHER, key, Buffer.from(written.iv, "base64"));
      decipher.setAuthTag(Buffer.from(written.tag, "base64"));
      const data = Buffer.from(written.data, "base64");
      const text = Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
      return JSON.parse(text) as unknown;
    } catch {
      const what = written.by === "passphrase" ? "passphrase" : "key of the keyring";
      throw unreadable(
        `the ${what} has changed since they were stored`,
        "Sign in again with waybill connect",
      );
    }
  }

  async #keyToWrite(): Promise<
    { key: Buffer; by: "keyring" | "passphrase"; salt: string } | undefined
  > {
    if (this.#passphrase !== undefined) {
      const salt = this.#derived.keys().next().value ?? randomBytes(16).toString("base64");
      return { key: await this.#derive(this.#passphrase, salt), by: "passphrase", salt };
    }
    const key = this.#keyring && (await keyringKey(this.#keyring, true));
    return key === undefined ? undefined : { key, by: "keyring", salt: "" };
  }

  async #keyToRead({ by, salt }: Encrypted): Promise<Buffer> {
    if (by === "passphrase") {
      if (this.#passphrase !== undefined) return this.#derive(this.#passphrase, salt);
      throw unreadable("they are encrypted with a passphrase", "Set WAYBILL_PASSPHRASE");
    }
    const key = this.#keyring && (await keyringKey(this.#keyring, false));
    if (key !== undefined) return key;
    const why = "their key is in the system's keyring, which cannot be reached here";
    throw unreadable(why, "Sign in again with waybill connect");
  }

  #derive(passphrase: string, salt: string): Promise<Buffer> {
    const known = this.#derived.get(salt) ?? derivedKey(passphrase, salt);
    this.#derived.set(salt, known);
    return known;
  }
}
