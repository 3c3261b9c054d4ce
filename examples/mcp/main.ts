// Adds an MCP server as a source. You search its tools by words and call them by id. Every answer has
// the same envelope as any other call.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createWaybill } from "@waybill/core";
import { mcpSource } from "@waybill/mcp/client";

const server = {
  name: "notes",
  command: process.execPath,
  args: ["--import", "tsx", fileURLToPath(new URL("server.ts", import.meta.url))],
};
const waybill = createWaybill({ sources: [mcpSource({ ...server, trusted: true })] });

// The server is not running yet. The first search or call starts it, and all calls share that process.
const found = await waybill.list_capabilities({ query: "read a note", wait_ms: 60_000 });
assert.equal(found[0]?.capability_id, "notes.read_note");

// `data` is the tool's structured output, so you do not have to read content blocks.
const milk = await waybill.execute("notes.read_note", { title: "milk" });
assert.deepEqual(milk.data, { title: "milk", text: "Buy milk" });

// The tool "write note" has a space in its name, so its id is `notes.write_note`. The request still
// contains the tool's own name.
const written = await waybill.execute("notes.write_note", { title: "tea", text: "Buy tea" });
assert.equal(written.ok, true);
const shown = await waybill.execute(
  "notes.write_note",
  { title: "x", text: "y" },
  { dry_run: true },
);
assert.match(JSON.stringify(shown.data), /"name":"write note"/);

// If the tool reports an error, the call fails with the tool's message.
const missing = await waybill.execute("notes.read_note", { title: "rum" });
assert.equal(missing.error?.message, "There is no note rum");

// Without `trusted: true`, Waybill does not believe that a tool only reads, even if the server says so.
const stranger = createWaybill({ sources: [mcpSource(server)], policy: { read_only: true } });
const refused = await stranger.execute("notes.read_note", { title: "milk" });
assert.equal(refused.error?.code, "POLICY");

console.log(JSON.stringify(milk));
console.log(JSON.stringify(missing.error));
console.log(JSON.stringify(refused.error));
await Promise.all([waybill.close(), stranger.close()]);
