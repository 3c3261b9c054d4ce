import { expect, it } from "vitest";
import { getTools } from "./ask-server.ts";

function asking(program: string): Promise<string[]> {
  const args = ["-e", program];
  return getTools({ command: process.execPath, args, env: {}, cwd: process.cwd() });
}

const SERVER = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} },
    "tools/list": { tools: [{ name: "execute" }, { name: "explain" }] },
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
});`;

it("setup --verify starts an MCP server and lists its tools", async () => {
  expect(await asking(SERVER)).toEqual(["execute", "explain"]);
});

it.each([
  [
    "ends at once",
    'console.error("no such thing")',
    /ended without an answer. Its output: no such/,
  ],
  [
    "prints text that is not an MCP message",
    'console.log("hello")',
    /something that is not an MCP message/,
  ],
])("setup --verify reports a server program that %s", async (_name, program, why) => {
  await expect(asking(program)).rejects.toThrow(why);
});
