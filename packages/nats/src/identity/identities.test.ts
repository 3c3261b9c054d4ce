import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { Identities } from "./identities.ts";
import { writeToken } from "./token.ts";

const key = "a secret of the whole cluster";
const ada = { id: "ada", scopes: ["tea:order"], resources: { kettle: ["use"] } };
const shop = (more: object = {}): Identities => new Identities("shop", { key, ...more });
const later = (): number => Date.now() + 60_000;

describe("signed identities", () => {
  it("an identity that one process signs with the shared key is verified by another process", () => {
    const token = shop().sign(ada);
    expect(shop().verify(token!)).toEqual(ada);
    expect(shop().verify(shop().sign({ id: "bob", scopes: [] })!)).toEqual({
      id: "bob",
      scopes: [],
    });
  });

  it("an identity is signed once and reused until shortly before it expires", () => {
    const requester = shop();
    expect(requester.sign(ada)).toBe(requester.sign(ada));
    expect(requester.sign({ ...ada })).toBe(requester.sign(ada));
    expect(requester.sign({ ...ada, scopes: [] })).not.toBe(requester.sign(ada));
    const brief = shop({ tokenLifeMs: 0 });
    const first = brief.sign(ada);
    const end = Date.now() + 2;
    while (Date.now() < end);
    expect(brief.sign(ada)).not.toBe(first);
  });

  it.each([
    ["expired", writeToken(key, { identity: ada, audience: "shop", expires: 1 }), "has expired"],
    [
      "of another audience",
      writeToken(key, { identity: ada, audience: "bank", expires: later() }),
      "for the service bank",
    ],
    [
      "signed with another key",
      writeToken(`${key}!`, { identity: ada, audience: "shop", expires: later() }),
      "not signed with this service's key",
    ],
    ["missing", "", "accepts only calls with a signed identity"],
    ["not signed", "v1.e30.xx", "not signed"],
    ["of another version", "v2.e30.xx", "not signed"],
    ["10,000 characters long", `v1.${"a".repeat(10_000)}.xx`, "not signed"],
  ])("a NATS worker refuses an identity that is %s", (_what, token, sentence) => {
    expect(() => shop().verify(token)).toThrow(sentence);
    expect(() => shop().verify(token)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ code: "AUTH", outcome: "not_applied" }) as object,
      }) as Error,
    );
  });

  it("a NATS worker refuses an identity that was changed at any position", () => {
    const token = shop().sign(ada)!;
    for (let at = token.length - 1; at > 2; at -= 7) {
      const other = token[at] === "A" ? "B" : "A";
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(() => shop().verify(changed)).toThrow("not signed");
    }
  });

  it("a NATS worker refuses a cached identity after the identity has expired", async () => {
    const pass = stopClock();
    const worker = shop();
    const expires = Date.now() - 4_990;
    const token = writeToken(key, { identity: ada, audience: "shop", expires });
    expect(worker.verify(token)).toEqual(ada);
    await pass(20);
    expect(() => worker.verify(token)).toThrow("has expired");
  });

  it("a NATS worker refuses a signed identity with malformed claims", () => {
    const claims = { audience: "shop", expires: later() };
    for (const identity of [
      { id: 1, scopes: [] },
      { id: "x", scopes: "all" },
      { id: "x", scopes: [], resources: { a: 1 } },
    ]) {
      const token = writeToken(key, { identity: identity as never, ...claims });
      expect(() => shop().verify(token)).toThrow("not signed");
    }
  });
});

describe("the key of a service", () => {
  it("a NATS service refuses a key of fewer than 16 characters", () => {
    expect(() => new Identities("shop", { key: "short" })).toThrow("at least 16 characters");
  });

  it("every request to a NATS service is anonymous if the service has no key", () => {
    const open = new Identities("shop", {});
    expect(open.verify(shop().sign(ada)!)).toBeUndefined();
    expect(open.sign(undefined)).toBeUndefined();
    expect(() => open.sign(ada)).toThrow("cannot be signed, because there is no key");
  });

  it("a caller without a name can sign in to a NATS service with the key alone", () => {
    expect(shop().verify(shop().sign(undefined)!)).toEqual({ id: "", scopes: [] });
    expect(shop().verify(shop({ identity: ada }).sign(undefined)!)).toEqual(ada);
  });

  it("a NATS worker still verifies identities after 1,500 different callers", () => {
    const worker = shop();
    const requester = shop();
    for (let each = 0; each < 1_500; each++) {
      worker.verify(requester.sign({ id: String(each), scopes: [] })!);
    }
    expect(worker.verify(requester.sign(ada)!)).toEqual(ada);
  });
});
