import { describe, expect, it, onTestFinished } from "vitest";
import { TOKENS } from "../emulator/world/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

async function open(token: string): Promise<Embedded> {
  const embedded = await startEmbedded({ token });
  onTestFinished(() => embedded.close());
  return embedded;
}

const HELLO = { owner: "octo", name: "hello" };

describe("token scopes", () => {
  it.each(["graphql", "rest"] as const)(
    "a write on the %s route without the token scope it needs is refused before it is sent",
    async (route) => {
      const embedded = await open(TOKENS.readOnly);
      const waybill = embedded.by(route);
      expect((await waybill.execute("user.me")).ok).toBe(true);
      const params = { ...HELLO, label: "x" };
      const { error, meta } = await waybill.execute("label.create", params, { trace: true });
      expect(JSON.stringify(meta)).toContain("SCOPE_MISSING");
      expect(error?.message).toContain("public_repo");
      expect(embedded.github.requests.filter(({ isWrite }) => isWrite)).toEqual([]);
    },
  );

  it("a write is sent while the scopes of the token are unknown", async () => {
    const embedded = await open(TOKENS.readOnly);
    const { error } = await embedded.by("rest").execute("label.create", { ...HELLO, label: "x" });
    expect(error?.code).toBe("AUTH");
    expect(embedded.github.requests.length).toBeGreaterThan(0);
  });

  it("a token scope includes the scopes that it implies", async () => {
    const { waybill } = await open(TOKENS.octocat);
    await waybill.execute("user.me");
    const params = { owner: "octo", projectNumber: 1 };
    expect((await waybill.execute("project_v2.items.list", params)).ok).toBe(true);
    expect((await waybill.execute("label.create", { ...HELLO, label: "x" })).ok).toBe(true);
  });
});
