import { describe, expect, it } from "vitest";
import { localEnvelope } from "../envelope/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { buildEnv, defineOperation } from "./index.ts";
import type { OperationCaller, OperationContext } from "./index.ts";

/** A caller that records the calls that it gets. */
function recorder(): OperationCaller & { readonly calls: [string, unknown][] } {
  const calls: [string, unknown][] = [];
  return {
    calls,
    call(id, input) {
      calls.push([id, input]);
      return Promise.resolve(localEnvelope("done", id));
    },
  };
}

function contextInfo({ identity, deadline, parentRequestId }: OperationContext): unknown {
  return { identity, deadline, parentRequestId };
}

describe("buildEnv", () => {
  it("context.env calls an operation by namespace and name and returns its envelope", async () => {
    const caller = recorder();
    const env = buildEnv(caller);
    const envelope = await env["issue"]!["view"]!({ number: 1 });
    expect(envelope).toMatchObject({ data: "done", meta: { operationId: "issue.view" } });
    await env["pr.merge"]!["status"]!({ number: 2 });
    await env.call("repo.list", { owner: "ada" });
    await env["repo"]!["list"]!();
    expect(caller.calls).toEqual([
      ["issue.view", { number: 1 }],
      ["pr.merge.status", { number: 2 }],
      ["repo.list", { owner: "ada" }],
      ["repo.list", undefined],
    ]);
  });

  it("context.env returns the same namespace object each time", () => {
    const env = buildEnv(recorder());
    expect(env["issue"]).toBe(env["issue"]);
  });

  it("a call through context.env has the identity and deadline of the handler's context, and its request id as parent", async () => {
    const registry = new OperationRegistry();
    registry.register(
      defineOperation({
        id: "inner.facts",
        description: "Tells what it was called with",
        handler: (_input, context) => contextInfo(context),
      }),
    );
    registry.register(
      defineOperation({
        id: "outer.ask",
        description: "Asks the inner one",
        async handler(_input, { env }) {
          const { data } = await env["inner"]!["facts"]!();
          return data;
        },
      }),
    );
    const identity = { id: "ada", scopes: ["repo"] };
    const deadline = Date.now() + 60_000;
    const options = { identity, deadline, requestId: "r1" };
    const { data } = await registry.execute("outer.ask", {}, options);
    expect(data).toEqual({ identity, deadline, parentRequestId: "r1" });
  });

  it("context.env and its namespaces are not mistaken for promises", async () => {
    const caller = recorder();
    const env = buildEnv(caller);
    expect(await Promise.resolve(env)).toBe(env);
    const issue = env["issue"];
    expect(await Promise.resolve(issue)).toBe(issue);
    expect(caller.calls).toEqual([]);
  });

  it("context.env calls nothing when it is printed, iterated or put into a string", () => {
    const caller = recorder();
    const env = buildEnv(caller);
    expect(JSON.stringify({ env, issue: env["issue"] })).toBe('{"env":{},"issue":{}}');
    const issue: unknown = env["issue"];
    expect(() => String(issue)).toThrow(TypeError);
    expect(Reflect.get(env, Symbol.iterator)).toBeUndefined();
    expect(Reflect.get(env["issue"]!, Symbol.toPrimitive)).toBeUndefined();
    expect(Object.keys(env)).toEqual([]);
    expect(caller.calls).toEqual([]);
  });

  it("context.env treats inherited names such as toString as ordinary names", async () => {
    const caller = recorder();
    const env = buildEnv(caller);
    const named = (namespace: string, name: string): Promise<unknown> => env[namespace]![name]!();
    await named("__proto__", "constructor");
    await named("constructor", "__proto__");
    await named("hasOwnProperty", "view");
    expect(caller.calls.map(([id]) => id)).toEqual([
      "__proto__.constructor",
      "constructor.__proto__",
      "hasOwnProperty.view",
    ]);
    const registry = new OperationRegistry();
    const call = buildEnv(registry).call("__proto__.constructor");
    await expect(call).rejects.toMatchObject({ code: "OPERATION_NOT_FOUND" });
  });
});
