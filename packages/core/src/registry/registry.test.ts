import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";

function operation(id: string): ReturnType<typeof defineOperation> {
  return defineOperation({ id, description: `Does ${id}`, effect: "read", handler: () => id });
}

function getRegistry(...ids: string[]): OperationRegistry {
  const registry = new OperationRegistry();
  for (const id of ids) registry.register(operation(id));
  return registry;
}

describe("OperationRegistry", () => {
  it("an operation registry returns registered specs and handlers, and undefined for other ids", () => {
    const registry = new OperationRegistry();
    const view = operation("issue.view");
    registry.register(view);
    expect(registry.getSpec("issue.view")).toBe(view.spec);
    expect(registry.getRun("issue.view")).toBe(view.run);
    expect(registry.getHandler("issue.view")).toBeTypeOf("function");
    expect(registry.getSpec("issue.list")).toBeUndefined();
    expect(registry.getHandler("issue.list")).toBeUndefined();
    expect(registry.size).toBe(1);
  });

  it("an operation registry accepts a spec first and its handler later", async () => {
    const registry = new OperationRegistry();
    const { spec } = operation("issue.view");
    registry.registerSpec(spec);
    expect(registry.getHandler("issue.view")).toBeUndefined();
    await expect(registry.execute("issue.view")).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
      message: "No handler registered for operation: issue.view",
      details: { hint: 'Register one: registry.registerHandler("issue.view", handler)' },
    });
    registry.registerHandler("issue.view", () => "issue.view");
    expect((await registry.execute("issue.view")).data).toBe("issue.view");
  });

  it("an operation registry refuses a second spec, a second handler and a handler without a spec", () => {
    const registry = getRegistry("issue.view");
    const again = operation("issue.view");
    expect(() => registry.register(again)).toThrow("issue.view is already registered");
    expect(() => registry.registerHandler("issue.view", () => 1)).toThrow("already has a handler");
    expect(() => registry.registerHandler("issue.list", () => 1)).toThrow("has no spec");
    expect(registry.getSpec("issue.view")).not.toBe(again.spec);
  });

  it("an operation registry refuses an invalid id", () => {
    const spec: OperationSpec = { ...operation("issue.view").spec, id: "issue" };
    expect(() => new OperationRegistry().registerSpec(spec)).toThrow("is not an operation id");
  });

  it("an operation registry lists operations sorted by id", () => {
    const registry = getRegistry(
      "pr.view",
      "issue.view",
      "issue.list",
      "Zoo.open",
      "issue.label.add",
    );
    const ids = registry.list().map(({ id }) => id);
    expect(ids).toEqual(["Zoo.open", "issue.label.add", "issue.list", "issue.view", "pr.view"]);
    registry.register(operation("a.b"));
    expect(registry.list()[1]?.id).toBe("a.b");
  });

  it("an operation registry lists a namespace with all operations below it", () => {
    const registry = getRegistry("issue.view", "issue.label.add", "issues.view", "pr.issue.view");
    const ids = registry.list({ namespace: "issue" }).map(({ id }) => id);
    expect(ids).toEqual(["issue.label.add", "issue.view"]);
  });

  it("a change of the list that an operation registry returned does not change the registry", () => {
    const registry = getRegistry("issue.view");
    registry.list().length = 0;
    expect(registry.list()).toHaveLength(1);
  });

  it("an operation that was unregistered is not found and can be registered a second time", async () => {
    const registry = getRegistry("issue.view", "issue.list");
    expect(registry.unregister("issue.view")).toBe(true);
    expect(registry.unregister("issue.view")).toBe(false);
    expect(registry.list().map(({ id }) => id)).toEqual(["issue.list"]);
    await expect(registry.execute("issue.view")).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
    });
    registry.register(operation("issue.view"));
    expect((await registry.execute("issue.view")).data).toBe("issue.view");
  });

  it("nearest() of a registry ignores matches in descriptions", () => {
    const registry = new OperationRegistry();
    const description = "Merges it, but not when it is open.";
    registry.register(defineOperation({ id: "pr.merge", description, handler: () => 1 }));
    expect(registry.search("nope.x", { limit: 1 })).not.toEqual([]);
    expect([registry.nearest("nope.x"), registry.nearest("pr.x")]).toEqual([[], ["pr.merge"]]);
  });

  it("nearest() of a registry does not suggest a different short word", () => {
    const registry = getRegistry("org.secrets-for-team", "org.card");
    expect(registry.nearest("foo.car")).toEqual([]);
    expect(registry.nearest("foo.secrest")).toEqual(["org.secrets-for-team"]);
  });

  it("nearest() of a registry suggests the nearest ids for an unknown id", async () => {
    const registry = getRegistry("issue.view", "issue.list", "pr.view", "repo.create");
    expect(registry.nearest("isue.view")[0]).toBe("issue.view");
    expect(registry.nearest("pull.view")).toContain("pr.view");
    await expect(registry.execute("issue.veiw")).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
      message: expect.stringContaining(
        'No operation is called "issue.veiw"; did you mean issue.view',
      ) as unknown,
      details: {
        did_you_mean: expect.arrayContaining(["issue.view"]) as unknown,
        outcome: "not_applied",
      },
    });
  });

  it("the error for an unknown id suggests nothing if no id is similar", async () => {
    const error: unknown = await new OperationRegistry().execute("a.b").catch((e: unknown) => e);
    expect(error).toMatchObject({ message: 'No operation is called "a.b"' });
    expect(error).not.toHaveProperty("details.did_you_mean");
  });

  it("resolve() and execute() of a registry report an invalid id as not found", async () => {
    const registry = getRegistry("issue.view");
    expect(() => registry.resolve(undefined as unknown as string)).toThrow(
      "No operation is called",
    );
    expect(() => registry.resolve("x".repeat(1_000_000))).toThrow(/"x{80}"/);
    await expect(registry.execute(null as unknown as string)).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
    });
  });
});
