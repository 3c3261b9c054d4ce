// A small MCP server, as anyone might have written it.
import { McpServer, fromJsonSchema } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const notes = new Map([["milk", "Buy milk"]]);

const title = fromJsonSchema<{ title: string }>({
  type: "object",
  required: ["title"],
  properties: { title: { type: "string" } },
});
const note = fromJsonSchema<{ title: string; text: string }>({
  type: "object",
  required: ["title", "text"],
  properties: { title: { type: "string" }, text: { type: "string" } },
});

serveStdio(() => {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool(
    "read_note",
    {
      description: "Read a note by its title",
      inputSchema: title,
      outputSchema: note,
      annotations: { readOnlyHint: true },
    },
    ({ title: name }) => {
      const text = notes.get(name);
      if (text !== undefined) return { content: [], structuredContent: { title: name, text } };
      return { content: [{ type: "text", text: `There is no note ${name}` }], isError: true };
    },
  );
  server.registerTool(
    "write note",
    { description: "Write a note", inputSchema: note, annotations: { idempotentHint: true } },
    ({ title: name, text }) => {
      notes.set(name, text);
      return { content: [{ type: "text", text: `Wrote ${name}` }] };
    },
  );
  return server;
});
