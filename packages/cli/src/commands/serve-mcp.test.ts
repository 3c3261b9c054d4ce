import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { openHistory } from "@waybill/state";
import { mcpSource } from "@waybill/mcp/client";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseBrief } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAIN } from "../fixtures/program.ts";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const SLOW = 600_000;

/** Starts the command as an MCP client would, with this repository's own client. */
function getClient(
  world: World,
  protocol: "2025-11-25" | "2026-07-28",
  words: readonly string[] = [],
): Waybill {
  const settings = {
    name: "way",
    command: process.execPath,
    args: [MAIN, "serve", "mcp", ...words],
    env: world.env,
    cwd: world.project,
    protocol,
    connectTimeoutMs: SLOW,
  };
  const waybill = createWaybill({ sources: [mcpSource(settings)], policy: { confirm: "none" } });
  onTestFinished(() => waybill.close());
  return waybill;
}

const VIEW = { capability_id: "item.view", params: { id: 3 } };

describe.each(["2025-11-25", "2026-07-28"] as const)(
  "waybill serve mcp, protocol %s",
  (protocol) => {
    it("waybill serve mcp serves the configured capabilities and records their calls", async () => {
      const world = await makeWorld(onTestFinished);
      const client = getClient(world, protocol);
      const listed = await client.list_capabilities({ query: "way", wait_ms: SLOW });
      expect(listed.map(({ capability_id }) => capability_id).toSorted()).toEqual([
        "way.chain",
        "way.execute",
        "way.explain",
        "way.list_capabilities",
      ]);
      const { ok, data } = await client.execute("way.execute", VIEW);
      expect([ok, JSON.stringify(data)]).toEqual([true, expect.stringContaining("Item 3 of")]);
      const path = join(world.state, "history.db");
      const history = openHistory({ path, redact: (value) => value });
      onTestFinished(() => history.close());
      await expect
        .poll(async () => (await history.calls()).calls)
        .toMatchObject([
          {
            capability_id: "item.view",
            via: "mcp",
            agent: expect.stringMatching(/^waybill \d/u) as unknown,
          },
        ]);
    });

    it("waybill serve mcp --tools code serves only programs", async () => {
      const world = await makeWorld(onTestFinished);
      const client = getClient(world, protocol, ["--tools", "code", "--brief"]);
      const listed = await client.list_capabilities({ query: "way", wait_ms: SLOW });
      expect(listed.map(({ capability_id }) => capability_id)).toEqual(["way.code"]);
      const code =
        "return (await Promise.all([3, 4].map((id) => item.view({ id })))).map((i) => i.id)";
      const { ok, data } = await client.execute("way.code", { code });
      const text = "[3,4]\n\nwarning: item.view: the rest answer has no full";
      expect([ok, data]).toEqual([true, [{ type: "text", text }]]);
      const wrong = await client.execute("way.code", { code: "await item.vew({})" });
      expect(wrong.error?.message).toContain("!VALIDATION Line 1: There is no capability item.vew");
    });

    it("waybill serve mcp --tools graph serves one tool for all questions about code", async () => {
      const world = await makeWorld(onTestFinished);
      await world.write("code/index.ts", "export const a = 1;\n");
      const words = ["--tools", "graph", "--brief", "--root", "../code"];
      const client = getClient(world, protocol, words);
      const listed = await client.list_capabilities({ query: "way", wait_ms: SLOW });
      expect(listed.map(({ capability_id }) => capability_id)).toEqual(["way.graph"]);
      const args = { include: ["summary"] };
      const { data } = await client.execute("way.graph", { tool: "digest", args });
      expect(JSON.stringify(data)).toContain('\\"files\\":1');
    });

    it("waybill serve mcp --tools serves only the named capabilities and code graph tools", async () => {
      const world = await makeWorld(onTestFinished);
      await world.write("code/index.ts", "export const a = 1;\n");
      const words = ["--tools", "item.view,graph.digest", "--structured", "--root", "../code"];
      const client = getClient(world, protocol, words);
      const digest = await client.execute("way.graph_digest", {});
      expect(JSON.stringify(digest.data)).toContain('\\"files\\":1');
      const asked = await client.execute("way.execute", { capability_id: "graph.digest" });
      expect(JSON.stringify(asked.data)).toContain('\\"files\\":1');
      const told = await client.execute("way.explain", { capability_id: "graph.digest" });
      expect(JSON.stringify(told.data)).toContain("Overview of the code base");
      expect(await client.execute("way.item_view", { id: 3 })).toMatchObject({
        data: { id: 3, title: expect.any(String) as unknown },
      });
      const wrong = await client.execute("way.graph_issues", {});
      expect(wrong.error?.code).toBe("NOT_FOUND");
    });

    it("waybill serve mcp --brief answers in brief text, including questions about code", async () => {
      const world = await makeWorld(onTestFinished);
      await world.write("code/index.ts", "export const a = 1;\n");
      const words = ["--brief", "--tools", "graph.digest", "--root", "../code"];
      const client = getClient(world, protocol, words);
      const answer = async (tool: string, input: object) => {
        const { data, error } = await client.execute(tool, input);
        const text = data === null ? error?.message : (data as { text: string }[])[0]?.text;
        return parseBrief(text ?? "");
      };
      const full = { ...VIEW, params: { id: 3, full: true }, options: { select: ["id"] } };
      expect(await answer("way.execute", full)).toMatchObject({ data: { id: 3 }, meta: {} });
      expect(await answer("way.execute", { ...VIEW, params: {} })).toMatchObject({
        error: { code: "VALIDATION" },
      });
      const digest = await answer("way.graph_digest", { include: ["summary"] });
      expect(digest).toMatchObject({ data: { summary: { files: 1 } }, meta: {} });
    });
  },
);

describe("waybill serve mcp", () => {
  it.each([
    [["here"], "serve mcp takes no"],
    [["--tools", "issue view"], "which matches no id"],
    [["--max-tokens", "10"], "at least 200"],
    [["--root", "nowhere"], "is not a folder"],
    [["--tolls", "x"], "did you mean --tools?"],
  ])("waybill serve mcp refuses the arguments %j", async (words, sentence) => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["serve", "mcp", ...words]);
    expect([code, stdout]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("waybill serve mcp ends when its client disconnects or it is interrupted", async () => {
    const world = await makeWorld(onTestFinished);
    expect((await world.run(["serve", "mcp"], { isTTY: true })).code).toBe(0);
    const stop = new AbortController();
    const ended = world.run(["serve", "mcp"], { stdin: new PassThrough(), signal: stop.signal });
    stop.abort();
    expect((await ended).code).toBe(0);
  });
});
