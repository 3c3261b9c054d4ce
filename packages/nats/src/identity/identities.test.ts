import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { Identities } from "./identities.ts";
import { writeToken } from "./token.ts";

const key = "a secret of the whole cluster";
const ada = { id: "ada", scopes: ["tea:order"], resources: { kettle: ["use"] } };
const shop = (more: object = {}): Identities => new Identities("shop", { key, ...more });
const later = (): number => Date.now() + 60_000;

describe("a signed identity", () => {
  it("is who it says, wherever the key is known", () => {
    const token = shop().sign(ada);
    expect(shop().verify(token!)).toEqual(ada);
    expect(shop().verify(shop().sign({ id: "bob", scopes: [] })!)).toEqual({
      id: "bob",
      scopes: [],
    });
  });

  it("is signed once for its life, and again before it ends", () => {
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
    ["missing", "", "with a signed identity only"],
    ["nonsense", "v1.e30.xx", "not signed"],
    ["of another version", "v2.e30.xx", "not signed"],
    ["endless", `v1.${"a".repeat(10_000)}.xx`, "not signed"],
  ])("that is %s is refused", (_what, token, sentence) => {
    expect(() => shop().verify(token)).toThrow(sentence);
    expect(() => shop().verify(token)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ code: "AUTH", outcome: "not_applied" }) as object,
      }) as Error,
    );
  });

  it("that was changed in any place is refused", () => {
    const token = shop().sign(ada)!;
    for (let at = token.length - 1; at > 2; at -= 7) {
      const other = token[at] === "A" ? "B" : "A";
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(() => shop().verify(changed)).toThrow("not signed");
    }
  });

  it("that was known is refused once it has expired", async () => {
    const pass = stopClock();
    const worker = shop();
    const expires = Date.now() - 4_990;
    const token = writeToken(key, { identity: ada, audience: "shop", expires });
    expect(worker.verify(token)).toEqual(ada);
    await pass(20);
    expect(() => worker.verify(token)).toThrow("has expired");
  });

  it("that says nothing of anybody is refused", () => {
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

describe("a key", () => {
  it("that can be guessed is refused", () => {
    expect(() => new Identities("shop", { key: "short" })).toThrow("at least 16 characters");
  });

  it("that is not there leaves every request nobody's, whatever it claims", () => {
    const open = new Identities("shop", {});
    expect(open.verify(shop().sign(ada)!)).toBeUndefined();
    expect(open.sign(undefined)).toBeUndefined();
    expect(() => open.sign(ada)).toThrow("Without a key nobody can tell");
  });

  it("without a name still shows that its holder may call", () => {
    expect(shop().verify(shop().sign(undefined)!)).toEqual({ id: "", scopes: [] });
    expect(shop().verify(shop({ identity: ada }).sign(undefined)!)).toEqual(ada);
  });

  it("is needed for no more than a bounded number of tokens at a time", () => {
    const worker = shop();
    const requester = shop();
    for (let each = 0; each < 1_500; each++) {
      worker.verify(requester.sign({ id: String(each), scopes: [] })!);
    }
    expect(worker.verify(requester.sign(ada)!)).toEqual(ada);
  });
});
