import { describe, expect, it } from "vitest";
import { Seal } from "./index.ts";
import type { OpenKeyring } from "./index.ts";

const TOKEN = { access_token: "secret-token-1" };

/** A keyring in memory, which stands for that of a desktop. */
function keyring(): OpenKeyring {
  let kept: string | undefined;
  return async () => ({
    getPassword: async () => kept,
    setPassword: async (password) => {
      kept = password;
    },
  });
}

const headless: OpenKeyring = () => Promise.reject(new Error("no secret service"));

describe("Seal", () => {
  it("sealing a token encrypts it with a key that is created in the keyring", async () => {
    const open = keyring();
    const seal = new Seal({ env: {}, keyring: open });
    expect(await seal.kind()).toBe("keyring");
    const written = await seal.close(TOKEN);
    expect(JSON.stringify(written)).not.toContain("secret-token");
    expect(await new Seal({ env: {}, keyring: open }).open(written)).toEqual(TOKEN);
  });

  it("sealing a token uses WAYBILL_PASSPHRASE instead of the keyring if it is set", async () => {
    const env = { WAYBILL_PASSPHRASE: "correct horse" };
    const written = await new Seal({ env, keyring: keyring() }).close(TOKEN);
    expect(JSON.stringify(written)).not.toContain("secret-token");
    expect(await new Seal({ env, keyring: headless }).open(written)).toEqual(TOKEN);
  });

  it("the error for a sealed token names the missing passphrase or keyring that it was encrypted with", async () => {
    const env = { WAYBILL_PASSPHRASE: "correct horse" };
    const written = await new Seal({ env, keyring: headless }).close(TOKEN);
    const without = new Seal({ env: {}, keyring: headless });
    await expect(without.open(written)).rejects.toMatchObject({
      details: { code: "AUTH", hint: "Set WAYBILL_PASSPHRASE" },
    });
    const other = new Seal({ env: { WAYBILL_PASSPHRASE: "wrong" }, keyring: headless });
    await expect(other.open(written)).rejects.toThrow("the passphrase has changed");
    const elsewhere = await new Seal({ env: {}, keyring: keyring() }).close(TOKEN);
    await expect(without.open(elsewhere)).rejects.toThrow("keyring");
  });

  it("a token that a newer version of Waybill sealed is refused", async () => {
    const written = { version: 2, by: "file", value: TOKEN };
    await expect(new Seal({ env: {}, keyring: headless }).open(written)).rejects.toThrow(
      "The stored tokens cannot be read: a newer version wrote them",
    );
  });

  it("a token is stored unencrypted if there is neither a passphrase nor a keyring", async () => {
    const seal = new Seal({ env: {}, keyring: headless });
    expect(await seal.kind()).toBe("file");
    expect(await seal.open(await seal.close(TOKEN))).toEqual(TOKEN);
  });

  it("sealing a token does not use the keyring if WAYBILL_KEYRING is off", async () => {
    const seal = new Seal({ env: { WAYBILL_KEYRING: "off" }, keyring: keyring() });
    expect(await seal.kind()).toBe("file");
  });
});
