import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded, EmbeddedOptions } from "./fixtures/embedded.ts";
import { hello } from "./fixtures/cases/world.ts";

async function open(options: EmbeddedOptions = {}): Promise<Embedded> {
  const embedded = await startEmbedded(options);
  onTestFinished(() => embedded.close());
  return embedded;
}

/** The value of a stored secret, decrypted with the repository's private key. */
async function readSecret({ github }: Embedded, name: string): Promise<string> {
  const sealedBox = await import("tweetnacl-sealedbox-js");
  const { secrets, secretKey } = hello(github);
  const [publicKey, privateKey] = [secretKey!.publicKey, secretKey!.privateKey];
  const bytes = [secrets.get(name)!.value, publicKey, privateKey].map((text) =>
    Buffer.from(text, "base64"),
  );
  const opened = sealedBox.default.open(bytes[0]!, bytes[1]!, bytes[2]!);
  return Buffer.from(opened ?? "").toString("utf8");
}

const VALUE = "s3cret ✓ value";

describe("secret.set", () => {
  it("secret.set stores a secret that the repository's key decrypts", async () => {
    const embedded = await open();
    const params = { repo: "octo/hello", name: "TOKEN", value: VALUE };
    const result = await embedded.waybill.execute("secret.set", params);
    expect(result).toMatchObject({ ok: true, data: { name: "TOKEN" } });
    expect(await readSecret(embedded, "TOKEN")).toBe(VALUE);
  });

  it("the GitHub emulator decrypts a secret that gh has set", async () => {
    const embedded = await open();
    const { place } = embedded;
    const env = {
      PATH: process.env["PATH"],
      HOME: place.ghConfigDir!,
      GH_CONFIG_DIR: place.ghConfigDir!,
      GH_TOKEN: place.ghToken!,
      GH_REPO: "octo/hello",
    };
    await promisify(execFile)("gh", ["secret", "set", "TOKEN", "--body", VALUE], { env });
    expect(await readSecret(embedded, "TOKEN")).toBe(VALUE);
  });

  it("secret.set hides the value of the secret from observers", async () => {
    const seen: string[] = [];
    const observer = { onCall: (record: object) => void seen.push(JSON.stringify(record)) };
    const { waybill } = await open({ waybill: { observer } });
    await waybill.execute("secret.set", { repo: "octo/hello", secret: "TOKEN", value: VALUE });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join("\n")).not.toContain(VALUE);
  });
});

describe("variable.set", () => {
  it("variable.set creates and changes a variable", async () => {
    const { waybill, github } = await open();
    const set = (value: string) =>
      waybill.execute("variable.set", { repo: "octo/hello", name: "REGION", value });
    expect(await set("eu")).toMatchObject({ ok: true, data: { created: true } });
    expect(await set("us")).toMatchObject({ ok: true, data: { created: false } });
    expect(hello(github).variables.get("REGION")?.value).toBe("us");
  });
});
