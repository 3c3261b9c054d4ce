import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as codegraph from "@waybill/codegraph";
import * as core from "@waybill/core";
import type { OperationSpec, ResponseEnvelope } from "@waybill/core";
import * as mcp from "@waybill/mcp";
import { expect, it } from "vitest";
import * as waybill from "waybill";
import { root } from "../../scripts/run.mjs";
import { useEmbeddedGithub } from "./support/embedded-github.ts";

const MODULES: Readonly<Record<string, object>> = {
  waybill,
  "@waybill/core": core,
  "@waybill/codegraph": codegraph,
  "@waybill/mcp": mcp,
};

const hello = core.defineOperation({
  id: "hello.say",
  description: "Says hello",
  effect: "read",
  handler: () => "Hello",
});
const ticks = core.defineSubscription({
  id: "clock.ticks",
  description: "Ticks",
  async *handler() {
    yield 1;
  },
});

function registry(): core.OperationRegistry {
  const made = new core.OperationRegistry();
  made.register(hello);
  made.register(ticks);
  return made;
}

const local = core.localEnvelope(1, "a.b");
const context = { root: "/code", repoName: "code" };
const isSchema = (schema: unknown): boolean => typeof schema === "object" && schema !== null;

/** Uses every name on the page, and returns whether that worked. */
const USES: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  async executeTask() {
    await useEmbeddedGithub();
    return (await waybill.executeTask("repo.view", { owner: "octo", name: "hello" })).ok;
  },
  createWaybill: async () =>
    (await core.createWaybill({ operations: [hello] }).executeTask("hello.say")).ok,
  localEnvelope: () => local.meta.source === "local",
  httpEnvelope: () =>
    core.isResponseEnvelope(
      core.httpEnvelope(1, { statusCode: 200, headers: {}, contentType: "" }),
    ),
  mcpEnvelope: () => core.isResponseEnvelope(core.mcpEnvelope(1, { isError: false, content: [] })),
  isResponseEnvelope: () => core.isResponseEnvelope(local),
  unwrap: () => core.unwrap(local) === 1,
  RESPONSE_SOURCES: () => core.RESPONSE_SOURCES.includes("mcp"),
  ResponseEnvelopeSchema: () => isSchema(core.ResponseEnvelopeSchema),
  ResponseMetaSchema: () => isSchema(core.ResponseMetaSchema),
  LocalResponseMetaSchema: () => isSchema(core.LocalResponseMetaSchema),
  HTTPResponseMetaSchema: () => isSchema(core.HTTPResponseMetaSchema),
  MCPResponseMetaSchema: () => isSchema(core.MCPResponseMetaSchema),
  MCPContentBlockSchema: () => isSchema(core.MCPContentBlockSchema),
  CallEventSchema: () => isSchema(core.CallEventSchema["call.responded"]),
  CallError: () => core.isCallError(new core.CallError("TIMEOUT", "late")),
  async OperationRegistry() {
    const made = registry();
    const spec: OperationSpec | undefined = made.getSpec("hello.say");
    return spec?.id === "hello.say" && (await made.execute("hello.say", {})).data === "Hello";
  },
  async PendingRequestMap() {
    const map = new core.PendingRequestMap();
    map.serve(core.buildCallHandler({ registry: registry(), callMap: map }));
    const envelope: ResponseEnvelope = await map.call("hello.say", {});
    return envelope.data === "Hello";
  },
  buildCallHandler: () =>
    typeof core.buildCallHandler({
      registry: registry(),
      callMap: new core.PendingRequestMap(),
    }) === "function",
  buildEnv: async () => (await core.buildEnv(registry())["hello"]!["say"]!({})).data === "Hello",
  async subscribe() {
    for await (const { data } of core.subscribe(registry(), "clock.ticks", {})) return data === 1;
    return false;
  },
  createMCPClient: () => typeof mcp.createMCPClient === "function",
  mapMCPContentBlocks: () => mcp.mapMCPContentBlocks([{ type: "text", text: "a" }]).length === 1,
  createSuccessEnvelope: () => codegraph.createSuccessEnvelope("t", {}, context).success,
  createErrorEnvelope: () =>
    !codegraph.createErrorEnvelope("t", "INVALID_INPUT", "no", context).success,
  envelopeToResult: () =>
    !codegraph.envelopeToResult(codegraph.createSuccessEnvelope("t", {}, context)).isError,
  getWorkspaceContext: () => codegraph.getWorkspaceContext().root === process.cwd(),
  TOOLS: () => codegraph.TOOLS.GRAPH_DIGEST === "graph_digest",
};

const page = readFileSync(join(root, "docs/comparison/from-the-seeds.md"), "utf8");
const named = [...page.matchAll(/^\| `(\w+)` +\| `([@\w/]+)` +\|/gmu)].map(
  ([, name = "", from = ""]) => [name, from] as const,
);

it("the test of names checks every name on docs/comparison/from-the-seeds.md", () => {
  expect(named.map(([name]) => name).toSorted()).toEqual(Object.keys(USES).toSorted());
});

it.each(named)(
  "the name %s of docs/comparison/from-the-seeds.md is exported from %s and can be used",
  async (name, from) => {
    expect(Reflect.has(MODULES[from]!, name)).toBe(true);
    expect(await USES[name]!()).toBe(true);
  },
);
