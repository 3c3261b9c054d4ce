import { mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse as parseYaml } from "yaml";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";
import { AGENTS } from "../setup/agents.ts";
import type { Agent } from "../setup/agents.ts";

const SCRIPT = fileURLToPath(new URL("../../bin/waybill.cjs", import.meta.url));
const WORDS = [process.execPath, SCRIPT, "serve", "mcp", "--brief"];
const SERVER = { command: process.execPath, args: WORDS.slice(1) };
const USER_ONLY = new Set(["claude-desktop", "goose", "cline"]);

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  const texts = paths.toSorted().map(async (path) => {
    return [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

async function put(world: World, path: string, text: string): Promise<void> {
  const file = join(world.project, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * The files that `setup` writes for each agent: in the project, or in the home folder for agents
 * without project files.
 */
const WRITTEN = {
  "claude-code": [".claude/skills/waybill/SKILL.md", ".mcp.json"],
  "claude-desktop": [".config/Claude/claude_desktop_config.json"],
  cursor: [".cursor/mcp.json", ".cursor/rules/waybill.mdc"],
  vscode: [".github/copilot-instructions.md", ".vscode/mcp.json"],
  "copilot-cli": [".github/mcp.json", ".github/skills/waybill/SKILL.md"],
  codex: [".codex/config.toml", "AGENTS.md"],
  "gemini-cli": [".gemini/settings.json", "GEMINI.md"],
  opencode: [".opencode/skills/waybill/SKILL.md", "opencode.json"],
  windsurf: [".devin/mcp_config.json", "AGENTS.md"],
  zed: [".zed/settings.json", "AGENTS.md"],
  goose: [".config/goose/.goosehints", ".config/goose/config.yaml"],
  cline: [".cline/data/settings/cline_mcp_settings.json", ".cline/rules/waybill.md"],
  generic: [".agents/skills/waybill/SKILL.md", "AGENTS.md"],
} as const satisfies Record<Agent, readonly string[]>;

describe.each(AGENTS)("waybill setup --agent %s", (agent) => {
  const flags = USER_ONLY.has(agent) ? ["--user"] : [];
  const argv = ["setup", "--agent", agent, ...flags];
  const rootOf = (world: World): string =>
    USER_ONLY.has(agent) ? join(world.folder, "home") : world.project;

  it("setup writes its files once, and --remove deletes exactly these files", async () => {
    const world = await makeWorld(onTestFinished);
    const root = rootOf(world);
    const before = await filesIn(root);
    const { code, stdout } = await world.run([...argv, "--yes"]);
    const after = await filesIn(root);
    const added = Object.keys(after).filter((path) => !(path in before));
    expect([code, added]).toEqual([0, WRITTEN[agent]]);
    for (const path of added) expect(stdout).toContain(`new ${join(root, path)}`);
    const again = await world.run([...argv, "--yes"]);
    expect([again.code, again.stdout]).toEqual([0, "everything is set up already\n"]);
    expect(await filesIn(root)).toEqual(after);
    await world.run([...argv, "--remove", "--yes"]);
    expect(await filesIn(root)).toEqual(before);
    const folders = await readdir(world.project);
    expect(folders.toSorted()).toEqual(["cards", "waybill.config.json"]);
  });

  it("setup prints the next step and the command that verifies the result", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run([...argv, "--yes"]);
    expect(stdout).toMatch(/^next: [A-Z].+\.$/m);
    expect(stdout).toContain(`check it with: waybill ${argv.join(" ")} --verify`);
  });

  it("setup --user writes only below the home folder", async () => {
    const world = await makeWorld(onTestFinished);
    const before = await filesIn(world.folder);
    await world.run(["setup", "--agent", agent, "--user", "--yes"]);
    const added = Object.keys(await filesIn(world.folder)).filter((path) => !(path in before));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((path) => !path.startsWith("home/"))).toEqual([]);
    await world.run(["setup", "--agent", agent, "--user", "--remove", "--yes"]);
    expect(await filesIn(world.folder)).toEqual(before);
  });

  it("setup writes nothing in a dry run, or if the user does not agree", async () => {
    const world = await makeWorld(onTestFinished);
    const before = await filesIn(world.folder);
    const dry = await world.run([...argv, "--dry-run"]);
    const asked = await world.run(argv, { isTTY: true, input: "n\n" });
    const ended = await world.run(argv, { isTTY: true });
    const unasked = await world.run(argv);
    expect([dry, asked, ended, unasked].map(({ code }) => code)).toEqual([0, 0, 0, 2]);
    expect(dry.stdout).toContain(WRITTEN[agent][0]);
    expect(asked.stderr).toContain("Write this? [y/N]");
    expect(await filesIn(world.folder)).toEqual(before);
    expect((await world.run(argv, { isTTY: true, input: "y\n" })).code).toBe(0);
    expect(await filesIn(world.folder)).not.toEqual(before);
  });
});

it("setup --agent windsurf --user also writes the files of an older Windsurf", async () => {
  const world = await makeWorld(onTestFinished);
  await world.write("home/.codeium/windsurf/x", "");
  const argv = ["setup", "--agent", "windsurf", "--user"];
  await world.run([...argv, "--yes"]);
  const files = await filesIn(join(world.folder, "home"));
  const old = files[".codeium/windsurf/mcp_config.json"] ?? "";
  expect(JSON.parse(old)).toEqual({ mcpServers: { waybill: SERVER } });
  expect(old).toBe(files[".config/devin/mcp_config.json"]);
  expect(Object.keys(files)).toContain(".codeium/windsurf/memories/global_rules.md");
  await world.run([...argv, "--remove", "--yes"]);
  expect(Object.keys(await filesIn(join(world.folder, "home/.codeium")))).toEqual(["windsurf/x"]);
});

describe("the skill that waybill setup writes", () => {
  it.each([
    [[], true],
    [["--lean"], false],
  ])(
    "the skill file that setup writes with %j contains the signatures of capabilities: %s",
    async (flags, isIndexed) => {
      const world = await makeWorld(onTestFinished);
      await world.run(["setup", "--agent", "generic", ...flags, "--yes"]);
      const text = await readFile(join(world.project, "AGENTS.md"), "utf8");
      expect(text.includes("comments.create(body)")).toBe(isIndexed);
    },
  );
});

describe("waybill setup without --agent", () => {
  it("setup finds the installed agents and sets up the agents that keep files in a project", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("home/.codex/auth.json", "{}");
    await world.write("home/.config/goose/x", "");
    await world.write("bin/claude", "", 0o755);
    const { code, stderr } = await world.run(["setup"], { isTTY: true, input: "y\n" });
    expect([code, stderr]).toEqual([0, expect.stringContaining("found Claude Code, Codex, Goose")]);
    expect(stderr).toContain("Goose reads servers only from your home folder; use --user for it");
    const files = Object.keys(await filesIn(world.project));
    expect(files).toEqual(expect.arrayContaining([".mcp.json", ".codex/config.toml"]));
    const verdict = await world.run(["setup", "--verify"]);
    expect(verdict.stdout).toMatch(/^Claude Code:[^]+^Codex:/m);
  });

  it("setup writes through no link that leads out of the project", async () => {
    const world = await makeWorld(onTestFinished);
    const own = join(world.folder, "home/.bashrc");
    await writeFile(own, "umask 077\n");
    await symlink(own, join(world.project, "AGENTS.md"));
    const before = await filesIn(world.folder);
    const { code, stdout } = await world.run(["setup", "--agent", "generic", "--yes"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("leads out of this folder")]);
    expect(await filesIn(world.folder)).toEqual(before);
    await rm(own);
    expect((await world.run(["setup", "--agent", "generic", "--yes"])).code).toBe(2);
  });

  it("setup refuses a link to a device without reading it", async () => {
    const world = await makeWorld(onTestFinished);
    await symlink("/dev/zero", join(world.project, "AGENTS.md"));
    const { code, stdout } = await world.run(["setup", "--agent", "generic", "--yes"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("AGENTS.md cannot be read")]);
  });

  it("setup writes nothing without a terminal and without --yes", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("home/.gemini/settings.json", "{}");
    const before = await filesIn(world.folder);
    const { code, stdout } = await world.run(["setup"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("--agent gemini-cli")]);
    expect(await filesIn(world.folder)).toEqual(before);
  });

  it("setup asks for --agent if no agent is installed", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["setup", "--yes"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("No agent was found")]);
  });
});

it.each([...USER_ONLY])(
  "setup --agent %s without --user is refused with the command to run",
  async (agent) => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["setup", "--agent", agent, "--yes"]);
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining(`waybill setup --agent ${agent} --user`),
    ]);
  },
);

const COMMENTED = `{
\t// mine
\t"inputs": [],
\t"servers": {
\t\t"other": { "command": "x" }, // kept
\t},
}
`;

const KEPT = [
  ["claude-code", ".mcp.json", '{"mcpServers":{"other":{"command":"x"}},"mine":1}'],
  ["cursor", ".cursor/mcp.json", '{\r\n    "mcpServers": {\r\n    }\r\n}'],
  ["vscode", ".vscode/mcp.json", COMMENTED],
  ["vscode", ".github/copilot-instructions.md", "# Ours\r\n\r\nBe kind.\r\n"],
  ["codex", ".codex/config.toml", 'model = "m"\n\n[mcp_servers.other]\ncommand = "x" # kept'],
  ["codex", "AGENTS.md", "# Ours\n\nno line break at the end"],
  ["generic", "AGENTS.md", "\n\n# Ours\n\n\n"],
  ["gemini-cli", ".gemini/settings.json", '{\n  "ui": { "theme": "x" }, // kept\n}\n'],
  ["opencode", "opencode.jsonc", '{\n  // kept\n  "mcp": {},\n  "model": "m"\n}\n'],
  ["zed", ".zed/settings.json", '{\n  "tab_size": 2,\n}\n'],
  ["copilot-cli", ".github/mcp.json", '{"mcpServers":{"other":{"type":"local","command":"x"}}}'],
] as const;

describe("waybill setup and existing files", () => {
  it.each(KEPT)("setup for %s keeps the rest of %s byte for byte", async (agent, path, text) => {
    const world = await makeWorld(onTestFinished);
    await put(world, path, text);
    await world.run(["setup", "--agent", agent, "--yes"]);
    const changed = await readFile(join(world.project, path), "utf8");
    expect(changed).not.toBe(text);
    await world.run(["setup", "--agent", agent, "--yes"]);
    expect(await readFile(join(world.project, path), "utf8")).toBe(changed);
    await world.run(["setup", "--agent", agent, "--remove", "--yes"]);
    const removed = await readFile(join(world.project, path), "utf8");
    // The JSON object that received the entry may keep its new line breaks.
    const content = (read: string): unknown => (/\.jsonc?$/.test(path) ? parseJsonc(read) : read);
    expect(content(removed)).toEqual(content(text));
  });

  it("setup writes the server entry into the file where each program looks for MCP servers", async () => {
    const world = await makeWorld(onTestFinished);
    await put(world, ".vscode/mcp.json", COMMENTED);
    for (const agent of AGENTS) await world.run(["setup", "--agent", agent, "--yes"]);
    for (const agent of USER_ONLY) await world.run(["setup", "--agent", agent, "--user", "--yes"]);
    const home = (path: string): Promise<string> =>
      readFile(join(world.folder, "home", path), "utf8");
    const text = (path: string): Promise<string> => readFile(join(world.project, path), "utf8");
    expect(JSON.parse(await text(".mcp.json"))).toEqual({ mcpServers: { waybill: SERVER } });
    expect(JSON.parse(await text(".cursor/mcp.json"))).toEqual({ mcpServers: { waybill: SERVER } });
    expect(parseJsonc(await text(".vscode/mcp.json"))).toEqual({
      inputs: [],
      servers: { other: { command: "x" }, waybill: { type: "stdio", ...SERVER } },
    });
    expect(await text(".vscode/mcp.json")).toContain("// mine");
    expect(parseToml(await text(".codex/config.toml"))).toEqual({
      mcp_servers: { waybill: SERVER },
    });
    expect(JSON.parse(await text(".github/mcp.json"))).toEqual({
      mcpServers: { waybill: { type: "local", ...SERVER, tools: ["*"] } },
    });
    expect(JSON.parse(await text("opencode.json"))).toEqual({
      mcp: { waybill: { type: "local", command: WORDS } },
    });
    expect(JSON.parse(await text(".devin/mcp_config.json"))).toEqual({
      mcpServers: { waybill: SERVER },
    });
    expect(JSON.parse(await text(".zed/settings.json"))).toEqual({
      context_servers: { waybill: SERVER },
    });
    for (const path of [
      ".config/Claude/claude_desktop_config.json",
      ".cline/data/settings/cline_mcp_settings.json",
    ]) {
      expect(JSON.parse(await home(path))).toEqual({ mcpServers: { waybill: SERVER } });
    }
    expect(parseYaml(await home(".config/goose/config.yaml"))).toMatchObject({
      extensions: {
        waybill: { type: "stdio", enabled: true, cmd: process.execPath, args: WORDS.slice(1) },
      },
    });
  });

  it.each([
    [
      "a list with extensions",
      "a: 1\nextensions:\n    developer: # kept\n        enabled: true\nb: 2\n",
    ],
    ["no list", "GOOSE_MODEL: m # kept\n"],
    ["no line break at its end", "GOOSE_MODEL: m"],
  ])(
    "setup for goose keeps the rest of a config.yaml with %s byte for byte",
    async (_name, text) => {
      const world = await makeWorld(onTestFinished);
      const path = join(world.folder, "home/.config/goose/config.yaml");
      await world.write("home/.config/goose/config.yaml", text);
      const argv = ["setup", "--agent", "goose", "--user", "--yes"];
      await world.run(argv);
      const written: unknown = parseYaml(await readFile(path, "utf8"));
      const kept: unknown = parseYaml(text);
      expect(written).toMatchObject(kept as object);
      expect(written).toMatchObject({ extensions: { waybill: { cmd: process.execPath } } });
      expect((await world.run(argv)).stdout).toBe("everything is set up already\n");
      await world.run([...argv, "--remove"]);
      expect(await readFile(path, "utf8")).toBe(text);
    },
  );

  it("setup for opencode writes into the server list of configuration version 2 if the file has that list", async () => {
    const world = await makeWorld(onTestFinished);
    const text = '{ "mcp": { "servers": { "x": { "type": "local", "command": ["y"] } } } }';
    await put(world, "opencode.json", text);
    const read = async (): Promise<unknown> =>
      JSON.parse(await readFile(join(world.project, "opencode.json"), "utf8"));
    const argv = ["setup", "--agent", "opencode", "--yes"];
    await world.run(argv);
    expect(await read()).toMatchObject({
      mcp: { servers: { x: { command: ["y"] }, waybill: { type: "local", command: WORDS } } },
    });
    expect((await world.run(argv)).stdout).toBe("everything is set up already\n");
    await world.run([...argv, "--remove"]);
    expect(await read()).toEqual(JSON.parse(text));
  });

  it("setup for opencode keeps an MCP server that has the name servers", async () => {
    const world = await makeWorld(onTestFinished);
    const own = { type: "local", command: ["y"] };
    await put(world, "opencode.json", JSON.stringify({ mcp: { servers: own } }));
    await world.run(["setup", "--agent", "opencode", "--yes"]);
    const written = await readFile(join(world.project, "opencode.json"), "utf8");
    expect(JSON.parse(written)).toEqual({
      mcp: { servers: own, waybill: { type: "local", command: WORDS } },
    });
  });

  it.each([".rules", "CLAUDE.md", ".github/copilot-instructions.md"])(
    "setup for zed writes into %s, because Zed would not read both that file and AGENTS.md",
    async (path) => {
      const world = await makeWorld(onTestFinished);
      await put(world, path, "# Mine\n");
      const argv = ["setup", "--agent", "zed", "--yes"];
      await world.run(argv);
      expect(Object.keys(await filesIn(world.project))).not.toContain("AGENTS.md");
      expect(await readFile(join(world.project, path), "utf8")).toMatch(/^# Mine\n[^]*waybill/u);
      await world.run([...argv, "--remove"]);
      expect(await readFile(join(world.project, path), "utf8")).toBe("# Mine\n");
    },
  );

  it("setup updates the server entry of an older version and does not add --brief to the entry", async () => {
    const world = await makeWorld(onTestFinished);
    const old = { command: "npx", args: ["-y", "waybill@0.0.1", "serve", "mcp"] };
    await put(world, ".mcp.json", JSON.stringify({ mcpServers: { waybill: old } }));
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const text = await readFile(join(world.project, ".mcp.json"), "utf8");
    const args = [SCRIPT, "serve", "mcp"];
    expect(JSON.parse(text)).toEqual({ mcpServers: { waybill: { ...SERVER, args } } });
  });

  it.each([
    ["claude-code", ".mcp.json", "{ broken", "is not JSON (line 1"],
    ["claude-code", ".mcp.json", "[]", "has something other than an object"],
    ["cursor", ".cursor/mcp.json", '{"mcpServers": 3}', "has something other than an object"],
    ["cursor", ".cursor/rules/waybill.mdc", "mine", "was not written by waybill setup"],
    ["cursor", ".cursor/mcp.json", '{"mcpServers":{"waybill":{"command":"x"}}}', "has another"],
    ["codex", ".codex/config.toml", "a = = 1", "is not TOML"],
    ["codex", ".codex/config.toml", "mcp_servers = { a = {} }", "without changing other parts"],
    ["codex", ".codex/config.toml", '[mcp_servers.waybill]\ncommand="x"', "has another"],
    ["codex", "AGENTS.md", "<!-- waybill:end -->\n", "has an incomplete or repeated block"],
    ["generic", "AGENTS.md", "\u0000\ud800", "is not UTF-8"],
  ])("setup for %s refuses %s with %j, and writes nothing", async (agent, path, text, why) => {
    const world = await makeWorld(onTestFinished);
    const file = join(world.project, path);
    await put(world, path, text);
    if (why === "is not UTF-8") await writeFile(file, Buffer.of(0xff, 0xfe, 0x80));
    const before = await filesIn(world.project);
    const { code, stdout } = await world.run(["setup", "--agent", agent, "--yes"]);
    expect(code).toBe(2);
    expect(stdout).toContain(why);
    expect(await filesIn(world.project)).toEqual(before);
  });

  it("setup and setup --remove keep a server entry that a user has extended", async () => {
    const world = await makeWorld(onTestFinished);
    const entry = { ...SERVER, args: [...SERVER.args, "--tools", "issue.*"] };
    await put(world, ".mcp.json", JSON.stringify({ mcpServers: { waybill: entry } }));
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const argv = ["setup", "--agent", "claude-code", "--remove", "--yes"];
    const { stdout, stderr } = await world.run(argv);
    expect(stdout).toContain("deleted");
    expect(stderr).toContain(`${join(world.project, ".mcp.json")} was changed after setup`);
    const text = await readFile(join(world.project, ".mcp.json"), "utf8");
    expect(JSON.parse(text)).toEqual({ mcpServers: { waybill: entry } });
    expect((await world.run(argv)).stdout).toBe("nothing was removed\n");
  });

  it("setup and setup --remove keep a Codex server entry that a user has extended", async () => {
    const world = await makeWorld(onTestFinished);
    const argv = ["setup", "--agent", "codex", "--yes"];
    await world.run(argv);
    const path = join(world.project, ".codex/config.toml");
    const written = await readFile(path, "utf8");
    const own = `${written}env = { A = "b" }\n`;
    await writeFile(path, own);
    await world.run(argv);
    expect(await readFile(path, "utf8")).toBe(own);
    const { stderr } = await world.run([...argv, "--remove"]);
    expect(stderr).toContain("config.toml was changed after setup");
    expect(await readFile(path, "utf8")).toBe(own);
  });

  it("setup --remove deletes the server list that setup created", async () => {
    const world = await makeWorld(onTestFinished);
    await put(world, ".mcp.json", '{\n  "mine": 1\n}\n');
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const { stderr } = await world.run(["setup", "--agent", "claude-code", "--remove", "--yes"]);
    expect(stderr).toBe("");
    const text = await readFile(join(world.project, ".mcp.json"), "utf8");
    expect(text).toBe('{\n  "mine": 1\n}\n');
  });
});

describe("waybill setup --verify", () => {
  const argv = ["setup", "--agent", "claude-code", "--verify"];

  it("setup --verify starts the server that the agent's file names, and lists its tools", async () => {
    const world = await makeWorld(onTestFinished);
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const { code, stdout } = await world.run(argv);
    expect(stdout).toContain(`${SCRIPT} serve mcp --brief answers with 4 tools: execute`);
    expect(code).toBe(0);
  });

  it("setup --verify does not start a program other than Waybill", async () => {
    const world = await makeWorld(onTestFinished);
    await world.run(["setup", "--agent", "codex", "--lean", "--yes"]);
    const path = join(world.project, ".codex/config.toml");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(JSON.stringify(process.execPath), '"/tmp/node"'));
    const { code, stdout } = await world.run(["setup", "--agent", "codex", "--verify"]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("which setup does not test: /tmp/node"),
    ]);
  });

  it("setup --verify names the missing files and the command that writes them", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run([...argv, "--user"]);
    expect(code).toBe(1);
    expect(stdout).toContain(".claude.json is missing");
    expect(stdout).toContain("fix with: waybill setup --agent claude-code --user");
  });
});
