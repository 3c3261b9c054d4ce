// An MCP server becomes a source: its tools are found by words, called by id, and answered in the
// same envelope as everything else.
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

// Nothing runs yet. The first question starts the server, and all calls share that process.
const found = await waybill.list_capabilities({ query: "read a note", wait_ms: 60_000 });
assert.equal(found[0]?.capability_id, "notes.read_note");

// `data` is the tool's structured output, so nobody has to read content blocks.
const milk = await waybill.execute("notes.read_note", { title: "milk" });
assert.deepEqual(milk.data, { title: "milk", text: "Buy milk" });

// A name that cannot be an id is changed, and the server is still called by its own.
const written = await waybill.execute("notes.write_note", { title: "tea", text: "Buy tea" });
assert.equal(written.ok, true);
const shown = await waybill.execute(
  "notes.write_note",
  { title: "x", text: "y" },
  { dry_run: true },
);
assert.match(JSON.stringify(shown.data), /"name":"write note"/);

// A tool that reports an error is heard, although that is not what its output schema promises.
const missing = await waybill.execute("notes.read_note", { title: "rum" });
assert.equal(missing.error?.message, "There is no note rum");

// The server of a stranger may say that a tool only reads; nobody believes it.
const stranger = createWaybill({ sources: [mcpSource(server)], policy: { read_only: true } });
const refused = await stranger.execute("notes.read_note", { title: "milk" });
assert.equal(refused.error?.code, "POLICY");

console.log(JSON.stringify(milk));
console.log(JSON.stringify(missing.error));
console.log(JSON.stringify(refused.error));
await Promise.all([waybill.close(), stranger.close()]);
