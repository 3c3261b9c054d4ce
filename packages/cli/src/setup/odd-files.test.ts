import { lstat, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { makeWorld } from "../fixtures/world.ts";

const SCRIPT = fileURLToPath(new URL("../../bin/waybill.cjs", import.meta.url));
const SERVER = { command: process.execPath, args: [SCRIPT, "serve", "mcp", "--brief"] };

/** Files with text that a rewrite would lose. Each is the user's, and has no entry of Waybill. */
const ODD = [
  ["claude-code", ".claude.json", '\uFEFF{\n  "numStartups": 3\n}\n'],
  ["claude-code", ".claude.json", '{"mcpServers":{"a":{"command":"x"}},"z":[1]}'],
  [
    "claude-code",
    ".claude.json",
    '{\n\t"mcpServers": {\n\t\t"a": {"command":"x"}, // mine\n\t\t/* end */\n\t},\n\t// last\n}\n',
  ],
  [
    "opencode",
    ".config/opencode/opencode.jsonc",
    '{\r\n  "mcp": {\r\n    "x": {"type":"remote"} // y\r\n  }\r\n}\r\n',
  ],
  ["vscode", ".config/Code/User/mcp.json", '{"servers":{},"inputs":[]}'],
  [
    "zed",
    ".config/zed/settings.json",
    '// Zed\n{\n  "theme": "x",\n  // "context_servers": {}\n}\n',
  ],
  [
    "codex",
    ".codex/config.toml",
    '\uFEFFmodel = "x"\r\n[mcp_servers]\r\na = { command = "x" }\r\n',
  ],
  ["codex", ".codex/config.toml", "note = '''\n# waybill:begin\n# waybill:end\n'''\n"],
  ["goose", ".config/goose/config.yaml", "extensions:\r\n  dev:\r\n    enabled: true\r\nA: x\r\n"],
  [
    "goose",
    ".config/goose/config.yaml",
    "base: &b\n  enabled: true\nextensions:\n  # first\n  dev:\n    <<: *b\n  # last\n",
  ],
] as const;

describe("waybill setup --user and a user's odd files", () => {
  it.each(ODD)(
    "setup for %s, then setup --remove, restore the file %s with %j",
    async (agent, path, text) => {
      const world = await makeWorld(onTestFinished);
      const file = join(world.folder, "home", path);
      await world.write(`home/${path}`, text);
      const argv = ["setup", "--agent", agent, "--user", "--yes"];
      expect((await world.run(argv)).code).toBe(0);
      expect(await readFile(file, "utf8")).toContain("waybill");
      expect((await world.run(argv)).stdout).toBe("everything is set up already\n");
      await world.run([...argv, "--remove"]);
      expect(await readFile(file, "utf8")).toBe(text);
    },
  );

  it("setup for codex and setup --remove keep the tables that Codex writes after Waybill's entry", async () => {
    const world = await makeWorld(onTestFinished);
    const file = join(world.folder, "home/.codex/config.toml");
    const argv = ["setup", "--agent", "codex", "--user", "--yes"];
    await world.run(argv);
    const trusted = '\n[projects."/work"]\ntrust_level = "trusted"\n';
    await writeFile(file, (await readFile(file, "utf8")) + trusted);
    expect((await world.run(argv)).stdout).toBe("everything is set up already\n");
    await world.run([...argv, "--remove"]);
    expect(await readFile(file, "utf8")).toBe(trusted);
  });

  it("setup for goose and setup --remove find Waybill's entry after Goose has rewritten its file", async () => {
    const world = await makeWorld(onTestFinished);
    const file = join(world.folder, "home/.config/goose/config.yaml");
    const argv = ["setup", "--agent", "goose", "--user", "--yes"];
    await world.run(argv);
    const { extensions } = parseYaml(await readFile(file, "utf8")) as {
      extensions: { waybill: object };
    };
    const own = { ...extensions.waybill, envs: {}, env_keys: [], bundled: null };
    const dev = { enabled: true, type: "builtin", name: "dev" };
    await writeFile(file, stringifyYaml({ extensions: { waybill: own, dev }, A: "x" }));
    expect((await world.run(argv)).stdout).toBe("everything is set up already\n");
    const { stderr } = await world.run([...argv, "--remove"]);
    expect(stderr).toBe("");
    expect(await readFile(file, "utf8")).toBe(stringifyYaml({ extensions: { dev }, A: "x" }));
  });

  it.each([
    [
      "claude-code",
      ".claude.json",
      '{"mcpServers":{},"mcpServers":{}}',
      "mcpServers more than once",
    ],
    ["goose", ".config/goose/config.yaml", "- a\n", "is not a YAML object"],
    ["goose", ".config/goose/config.yaml", "a: 1\n...\n", "without changing other parts"],
    ["goose", ".config/goose/config.yaml", "a: *b\n", "is not YAML (Unresolved alias"],
    [
      "codex",
      ".codex/config.toml",
      "mcp_servers.a = {}\nnote = '''\n[mcp_servers.waybill]\n'''\n",
      "cannot change without changing other parts",
    ],
  ])("setup for %s refuses %s with %j, and changes nothing", async (agent, path, text, why) => {
    const world = await makeWorld(onTestFinished);
    await world.write(`home/${path}`, text);
    const { code, stdout } = await world.run(["setup", "--agent", agent, "--user", "--yes"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining(why)]);
    expect(await readFile(join(world.folder, "home", path), "utf8")).toBe(text);
  });

  it("setup adds the list of servers where an agent's file has null", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("home/.claude.json", '{"mcpServers":null}');
    await world.run(["setup", "--agent", "claude-code", "--user", "--yes"]);
    const text = await readFile(join(world.folder, "home/.claude.json"), "utf8");
    expect(JSON.parse(text)).toEqual({ mcpServers: { waybill: SERVER } });
  });

  it("setup --remove keeps a user's symbolic link, and deletes the file that setup wrote through the link", async () => {
    const world = await makeWorld(onTestFinished);
    const link = join(world.folder, "home/.codex/config.toml");
    await world.write("home/.codex/x", "");
    await symlink(join(world.folder, "dotfiles"), link);
    const argv = ["setup", "--agent", "codex", "--user", "--yes"];
    await world.run(argv);
    expect(await readFile(join(world.folder, "dotfiles"), "utf8")).toContain("serve");
    await world.run([...argv, "--remove"]);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    await expect(readFile(link)).rejects.toThrow("ENOENT");
  });

  it("setup says that an entry which the user changed starts another version of Waybill", async () => {
    const world = await makeWorld(onTestFinished);
    const args = ["-y", "waybill@0.0.9", "serve", "mcp", "--brief"];
    const waybill = { command: "npx", args, env: { GITHUB_TOKEN: "x" } };
    await world.write("home/.claude.json", JSON.stringify({ mcpServers: { waybill } }));
    const { stderr } = await world.run(["setup", "--agent", "claude-code", "--user", "--yes"]);
    expect(stderr).toContain("so it is kept. It starts npx -y waybill@0.0.9 serve mcp --brief");
  });
});
