import { describe, expect, it } from "vitest";
import { fail, localEnvelope } from "../envelope/index.ts";
import type { Route } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import type { RouteChoice } from "./route.ts";
import type { RoutedOperation } from "./routed-operation.ts";

const { spec } = defineOperation({
  id: "issue.close",
  description: "Close an issue",
  effect: "write",
  handler: () => null,
});

const refuse = (): Error => fail("AUTH", "bad token", { outcome: "not_applied" });
const lost = (): Error => fail("NETWORK", "lost", { outcome: "unknown" });

type Behaviour = (input: unknown) => unknown;

function operation(
  routes: Partial<Record<Route, Behaviour>>,
  more: Partial<Omit<RoutedOperation, "kind">> = {},
): RoutedOperation {
  return {
    kind: "routed",
    spec,
    routes: Object.keys(routes) as Route[],
    host: "example.com",
    honoursKeys: false,
    choices: async ({ params }) =>
      Object.entries(routes).map(([route, behave]): RouteChoice => ({
        route: route as Route,
        reason: "CARD_PREFERRED",
        preflight: async () => undefined,
        run: async (attempt) => {
          await attempt.beforeSend();
          const data = behave(params);
          if (data instanceof Error) throw data;
          return { response: localEnvelope(data, spec.id), upstreamRequests: 1 };
        },
      })),
    settler: async () => undefined,
    verifyHint: () => undefined,
    dryRun: async () => [],
    onAuthFailure: () => {},
    ...more,
  };
}

function getRegistry(routed: RoutedOperation): OperationRegistry {
  const registry = new OperationRegistry();
  registry.register({ spec, run: routed });
  return registry;
}

describe("routed operations in a registry", () => {
  it("a registry returns the data of an operation with routes", async () => {
    const registry = getRegistry(operation({ rest: (input) => ({ closed: input }) }));
    const { data } = await registry.execute("issue.close", { number: 7 });
    expect(data).toEqual({ closed: { number: 7 } });
  });

  it("an operation with routes falls back to the next route and drops the cached facts about refused credentials", async () => {
    const forgotten: Route[] = [];
    const onAuthFailure = (route: Route): void => void forgotten.push(route);
    const registry = getRegistry(operation({ cli: refuse, rest: () => "ok" }, { onAuthFailure }));
    expect((await registry.execute("issue.close", {})).data).toBe("ok");
    expect(forgotten).toEqual(["cli"]);
  });

  it("an operation with routes throws the CallError of its last route", async () => {
    const registry = getRegistry(operation({ rest: lost }));
    await expect(registry.execute("issue.close", {})).rejects.toMatchObject({
      message: "lost",
      details: { code: "NETWORK", outcome: "unknown" },
    });
  });

  it("a write with routes that has an unknown outcome is verified with the caller's own context", async () => {
    const identities: unknown[] = [];
    const answer = { response: localEnvelope("found", spec.id), upstreamRequests: 1 };
    const settler: RoutedOperation["settler"] = async (_request, { identity }) => {
      identities.push(identity?.id);
      return {
        settle: async () => ({ outcome: "applied", answer }),
        ready: async () => "",
        reads: 0,
      };
    };
    const registry = getRegistry(operation({ rest: lost }, { settler }));
    const identity = { id: "ada", scopes: [] };
    expect((await registry.execute("issue.close", {}, { identity })).data).toBe("found");
    expect(identities).toEqual(["ada"]);
  });
});
