import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures/support.ts";
import { mcpSource, parseMcpConfiguration, readMcpConfigurations } from "../index.ts";

function write(path: string, text: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
}

function stdio(name: string): object {
  return { command: "node", args: [name] };
}

const place = { file: "x.json", folder: "/project", home: "/home/me" };

function parse(text: string | object) {
  return parseMcpConfiguration(typeof text === "string" ? text : JSON.stringify(text), place);
}

describe("readMcpConfigurations", () => {
  it.each([
    "project/.mcp.json",
    "project/.cursor/mcp.json",
    "project/.vscode/mcp.json",
    "home/.claude.json",
    "home/.cursor/mcp.json",
    "home/.config/Claude/claude_desktop_config.json",
    "home/Library/Application Support/Claude/claude_desktop_config.json",
    "home/AppData/Roaming/Claude/claude_desktop_config.json",
    "home/.config/Code/User/mcp.json",
    "home/Library/Application Support/Code/User/mcp.json",
    "home/AppData/Roaming/Code/User/mcp.json",
  ])("readMcpConfigurations finds MCP servers in %s", async (path) => {
    const root = temporaryFolder();
    const key = /\.vscode|Code/u.test(path) ? "servers" : "mcpServers";
    write(join(root, path), { [key]: { files: stdio("files") } });
    const found = await readMcpConfigurations(join(root, "project"), join(root, "home"));
    expect(found.servers.map(({ settings }) => settings.name)).toEqual(["files"]);
  });

  it("readMcpConfigurations finds MCP servers of the project and of the user, and reports malformed files", async () => {
    const root = temporaryFolder();
    const [folder, home] = [join(root, "project"), join(root, "home")];
    write(join(folder, ".mcp.json"), { mcpServers: { files: stdio("files") } });
    write(join(folder, ".cursor/mcp.json"), {
      mcpServers: { files: stdio("files"), far: { url: "https://h.example/mcp" } },
    });
    write(
      join(folder, ".vscode/mcp.json"),
      `{
        // what the team uses
        "inputs": [{ "type": "promptString", "id": "api-key", "description": "The key", "password": true }],
        "servers": {
          "hub": { "type": "http", "url": "https://hub.example/mcp", "headers": { "Authorization": "Bearer \${input:api-key}" } },
        },
      }`,
    );
    write(join(home, ".claude.json"), {
      mcpServers: { files: stdio("other files") },
      projects: {
        [folder]: { mcpServers: { notes: stdio("notes") } },
        "/else": { mcpServers: { no: {} } },
      },
    });
    write(join(home, ".config/Claude/claude_desktop_config.json"), {
      mcpServers: { desk: stdio("desk") },
    });
    write(join(home, ".cursor/mcp.json"), "half {");
    const { servers, problems } = await readMcpConfigurations(folder, home);
    expect(servers.map(({ settings }) => settings.name)).toEqual([
      "files",
      "far",
      "hub",
      "files-2",
      "notes",
      "desk",
    ]);
    expect(servers[2]).toMatchObject({
      settings: { headers: { Authorization: "Bearer ${env:API_KEY}" } },
      needs: [{ name: "API_KEY", description: "The key" }],
    });
    expect(problems).toMatchObject([{ file: join(home, ".cursor/mcp.json") }]);
    for (const { settings } of servers) expect(mcpSource(settings).name).toBe(settings.name);
  });

  it("readMcpConfigurations returns no servers if there is no configuration", async () => {
    const folder = temporaryFolder();
    expect(await readMcpConfigurations(folder, folder)).toEqual({ servers: [], problems: [] });
  });
});

describe("entries of an MCP configuration", () => {
  it("readMcpConfigurations rewrites references to environment variables to one syntax", () => {
    const server = {
      command: "${userHome}/bin/x",
      args: ["${workspaceFolder}/a", "${PORT:-80}", "$HOME", "${weird thing}"],
      env: { TOKEN: "${TOKEN}", OTHER: "${env:OTHER}", LEVEL: 3 },
      cwd: "${workspaceFolder}",
    };
    expect(parse({ mcpServers: { x: server } }).servers).toEqual([
      {
        settings: {
          name: "x",
          command: "/home/me/bin/x",
          args: ["/project/a", "${env:PORT:-80}", "$HOME", "${weird thing}"],
          env: { TOKEN: "${env:TOKEN}", OTHER: "${env:OTHER}", LEVEL: "3" },
          cwd: "/project",
        },
        file: "x.json",
        needs: [{ name: "TOKEN" }, { name: "OTHER" }],
      },
    ]);
  });

  it("readMcpConfigurations changes an invalid server name to a valid source name", () => {
    const { servers } = parse({ mcpServers: { "@acme/My Server!": { command: "x" } } });
    expect(servers).toMatchObject([
      { settings: { name: "acme-My-Server" }, originalName: "@acme/My Server!" },
    ]);
  });

  it("readMcpConfigurations leaves out a disabled MCP server", () => {
    expect(parse({ mcpServers: { x: { command: "x", disabled: true } } }).servers).toEqual([]);
  });

  it("readMcpConfigurations keeps the other servers if one entry is invalid", () => {
    const { servers, problems } = parse({
      mcpServers: {
        good: { command: "x" },
        none: {},
        text: "x",
        args: { command: "x", args: "y" },
        env: { command: "x", env: { A: {} } },
        old: { type: "sse", url: "http://h/sse" },
      },
    });
    expect(servers.map(({ settings }) => settings.name)).toEqual(["good"]);
    expect(problems.map(({ server, message }) => [server, message])).toEqual([
      ["none", 'it has neither a command nor a url; add "command" or "url"'],
      ["text", "it must be an object"],
      ["args", "args must be a list of strings"],
      ["env", "env must be an object of strings"],
      ["old", "the older HTTP+SSE transport is not supported; use its /mcp address"],
    ]);
  });

  it("readMcpConfigurations accepts comments, trailing commas, and strings that look like comments or commas", () => {
    const text = `{ /* a */ "mcpServers": { "x": { "command": "a//b", "args": [",]", "/*", ], }, // c
    } }`;
    expect(parse(text)).toMatchObject({
      servers: [{ settings: { command: "a//b", args: [",]", "/*"] } }],
    });
  });

  it.each(["", "[]", "{"])(
    "readMcpConfigurations reports a malformed configuration: %j",
    (text) => {
      expect(parse(text)).toMatchObject({ servers: [], problems: [{ file: "x.json" }] });
    },
  );
});
