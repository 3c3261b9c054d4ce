import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentErrorCode } from "@waybill/core";
import type { ResponseEnvelope, Waybill } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { fixture, linesOf, temporaryFolder, waybillOf } from "../fixtures/support.ts";

const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);
const URI = "demo://resource/dynamic/text/1";

function everything(): Waybill {
  const args = [EVERYTHING, "stdio"];
  return waybillOf({ name: "every", command: process.execPath, args, trusted: true });
}

function modern(): Waybill {
  const args = [fixture("modern-server.mjs"), "--notifies"];
  return waybillOf({ name: "new", command: process.execPath, args });
}

/**
 * A server that logs an integer beyond 2^53 when the log level is set, and refuses every tool
 * with such an integer.
 */
const LARGE_IDS = `
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { logging: {}, tools: {} }, serverInfo: { name: "x", version: "1" } },
  "tools/list": { tools: [{ name: "t", description: "T", inputSchema: { type: "object" } }] },
  "logging/setLevel": {},
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const error = '"error":{"code":-32000,"message":"no","data":{"id":12345678901234567890}}';
  const answer = results[method] ? '"result":' + JSON.stringify(results[method]) : error;
  console.log('{"jsonrpc":"2.0","id":' + id + ',' + answer + '}');
  if (method === "logging/setLevel")
    console.log('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"id":12345678901234567890}}}');
});`;

type Values = AsyncGenerator<ResponseEnvelope, void, undefined>;

/** Reads notifications until one of this kind arrives. */
async function readUntil(values: Values, method: string): Promise<unknown> {
  for await (const { data } of values) {
    const { method: told, params } = data as { method: string; params: unknown };
    if (told === method) return params;
  }
  return undefined;
}

describe("notifications of an MCP server", () => {
  it("an MCP server that announces notifications has a subscription operation", async () => {
    const [found] = await everything().operations(["every.notifications"]);
    expect(found).toMatchObject({ kind: "subscription", effect: "read" });
  });

  it("a subscription to an MCP server yields changes of the requested resource and log messages", async () => {
    const waybill = everything();
    const values = waybill.subscribe("every.notifications", { resources: [URI], level: "debug" });
    const logged = await readUntil(values, "notifications/message");
    expect(JSON.stringify(logged)).toContain(URI);
    const again = waybill.subscribe("every.notifications", { resources: [URI] });
    const changed = readUntil(again, "notifications/resources/updated");
    await waybill.execute("every.toggle-subscriber-updates");
    expect(await changed).toEqual({ uri: URI });
  });

  it("integers beyond 2^53 in notifications and errors of an MCP server are strings of digits", async () => {
    const waybill = waybillOf({ name: "x", command: process.execPath, args: ["-e", LARGE_IDS] });
    const { value } = await waybill.subscribe("x.notifications", { level: "debug" }).next();
    expect(value?.data).toMatchObject({ params: { data: { id: "12345678901234567890" } } });
    expect(value?.meta.warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /params/data/id",
    ]);
    const { error } = await waybill.execute("x.t", {});
    expect(JSON.stringify(error)).toContain('"id":"12345678901234567890"');
  });

  it("a subscription to an MCP server of the newer protocol uses an event stream", async () => {
    const waybill = modern();
    const values = waybill.subscribe("new.notifications", { resources: ["memo://1"] });
    let changed: unknown;
    readUntil(values, "notifications/resources/updated")
      .then((params) => (changed = params))
      .catch(() => {});
    // Repeats the change until it is reported, because the server reports nothing before it has
    // received the subscription.
    await expect
      .poll(async () => [(await waybill.execute("new.touch")).ok, changed])
      .toMatchObject([true, { uri: "memo://1" }]);
  });

  it("a subscription that names no resources asks an MCP server only for changes of the lists that the server declares", async () => {
    const log = join(temporaryFolder(), "seen");
    const args = [fixture("modern-server.mjs"), "--lists"];
    const env = { SEEN_LOG: log };
    const waybill = waybillOf({ name: "new", command: process.execPath, args, env });
    const values = waybill.subscribe("new.notifications", {});
    values.next().catch(() => {});
    await expect
      .poll(() => linesOf(log))
      .toContain('listen {"promptsListChanged":true,"resourcesListChanged":true}');
  });

  it("a connection of the newer MCP protocol asks for changes of every list that may change", async () => {
    const log = join(temporaryFolder(), "seen");
    const args = [fixture("modern-server.mjs"), "--lists"];
    const env = { SEEN_LOG: log };
    const waybill = waybillOf({ name: "new", command: process.execPath, args, env });
    await waybill.execute("new.grow");
    const lists = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true };
    await expect.poll(() => linesOf(log)).toContain(`listen ${JSON.stringify(lists)}`);
  });

  it("a subscription to an MCP server fails with NETWORK if the connection is lost", async () => {
    const waybill = modern();
    const values = waybill.subscribe("new.notifications", { resources: ["memo://1"] });
    const first = values.next();
    await waybill.execute("new.exit");
    expect(await first.catch(agentErrorCode)).toBe("NETWORK");
  });

  it("a subscription to resources is refused if the MCP server does not announce their changes", async () => {
    const args = [fixture("modern-server.mjs"), "--logs"];
    const waybill = waybillOf({ name: "new", command: process.execPath, args });
    const values = waybill.subscribe("new.notifications", { resources: ["memo://1"] });
    await expect(values.next()).rejects.toThrow("does not report changed resources");
  });

  it("an MCP server that announces no notifications has no subscription operation", async () => {
    const args = [fixture("modern-server.mjs")];
    const waybill = waybillOf({ name: "new", command: process.execPath, args });
    const { ok, error } = await waybill.execute("new.notifications");
    expect([ok, error?.code]).toEqual([false, "NOT_FOUND"]);
  });
});
