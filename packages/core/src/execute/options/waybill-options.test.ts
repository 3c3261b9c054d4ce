import { describe, expect, it } from "vitest";
import { defineOperation } from "../../operation/index.ts";
import { memoryJournal } from "../../router/index.ts";
import { createWaybill } from "../index.ts";
import type { WaybillOptions } from "../index.ts";

const operation = (id: string, exposed?: boolean) =>
  defineOperation({
    id,
    description: "Act",
    effect: "write",
    ...(exposed !== undefined && { exposed }),
    handler: () => null,
  });

describe("options of createWaybill", () => {
  it.each([
    [
      { policy: { raed_only: true } },
      "/policy/raed_only is not a rule of a policy; did you mean read_only?",
    ],
    [{ policy: { read_only: "yes" } }, "/policy/read_only must be true or false"],
    [{ policy: { confirm: "all" } }, "/policy/confirm must be one of none, destructive, writes"],
    [{ policy: { deny: "a.b" } }, "/policy/deny must be a list of id patterns"],
    [{ policy: { deny: ["a.b "] } }, '/policy/deny has "a.b ", which matches no id'],
    [{ policy: { allow: ["a.?"] } }, '/policy/allow has "a.?", which matches no id'],
    [{ policy: "read_only" }, "/policy must be an object"],
    [{ polcy: {} }, "/polcy is not an option of a Waybill; did you mean policy?"],
    [{ expose: "issue.*" }, "/expose must be a list of id patterns"],
    [{ retry: { maxAttempt: 1 } }, "/retry/maxAttempt is not part of a retry policy"],
    [{ retry: { maxAttempts: "3" } }, "/retry/maxAttempts must be a number"],
    [{ secrets: ["x"] }, "/secrets must be a function"],
    [{ hiddenFolders: "/a/b" }, "/hiddenFolders must be a list of strings"],
    [{ identity: null }, "/identity must be an object"],
    [{ operations: {} }, "/operations must be a list"],
    [7, "options must be an object"],
  ])("createWaybill refuses the options %j", (options, message) => {
    expect(() => createWaybill(options as WaybillOptions)).toThrow(message);
  });

  it("createWaybill refuses an unknown rule of a policy and suggests the nearest known rule", () => {
    const options = { policy: { denny: [] } } as WaybillOptions;
    expect(() => createWaybill(options)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        details: expect.objectContaining({
          issues: [
            { path: "/policy/denny", message: "is not a rule of a policy", did_you_mean: "deny" },
          ],
        }) as unknown,
      }),
    );
  });

  it("createWaybill accepts no options, and every documented option", () => {
    expect(createWaybill()).toBeDefined();
    const options: WaybillOptions = {
      operations: [operation("a.b")],
      sources: [],
      observer: {},
      policy: { read_only: false, allow: ["a.*"], deny: [], confirm: "none" },
      expose: ["*"],
      journal: memoryJournal(),
      retry: { maxAttempts: 1 },
      secrets: () => [],
      identity: { id: "me", scopes: [] },
      schemas: { limit: 10 },
    };
    expect(createWaybill(options)).toBeDefined();
  });

  it("a change of the policy object after createWaybill has no effect", async () => {
    const policy = { read_only: true };
    const waybill = createWaybill({ operations: [operation("a.b")], policy });
    policy.read_only = false;
    expect((await waybill.execute("a.b")).error?.code).toBe("POLICY");
  });
});

describe("option expose", () => {
  const operations = [operation("issue.view"), operation("issue.raw", false), operation("pr.view")];
  const listed = async (options: WaybillOptions) =>
    (await createWaybill({ operations, ...options }).list_capabilities()).map(
      ({ capability_id }) => capability_id,
    );

  it("the option expose decides which capabilities are listed; without it each operation decides for itself", async () => {
    expect(await listed({})).toEqual(["issue.view", "pr.view"]);
    expect(await listed({ expose: ["issue.*"] })).toEqual(["issue.raw", "issue.view"]);
    expect(await listed({ expose: ["*.view"] })).toEqual(["issue.view", "pr.view"]);
    expect(await listed({ expose: [] })).toEqual([]);
  });

  it("the option expose does not affect search, explain and execute", async () => {
    const waybill = createWaybill({ operations, expose: [] });
    expect(await waybill.list_capabilities({ query: "view" })).toHaveLength(2);
    expect((await waybill.explain("pr.view")).capability_id).toBe("pr.view");
    expect((await waybill.execute("pr.view")).ok).toBe(true);
  });
});
