import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";
import { AGENTS } from "../setup/agents.ts";

const SERVER = { command: "waybill", args: ["serve", "mcp", "--brief"] };

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

/** What an agent's program is given to start with, by what each of them reads. */
const WRITTEN = {
  "claude-code": [".claude/skills/waybill/SKILL.md", ".mcp.json"],
  cursor: [".cursor/mcp.json", ".cursor/rules/waybill.mdc"],
  codex: [".codex/config.toml", "AGENTS.md"],
  vscode: [".github/copilot-instructions.md", ".vscode/mcp.json"],
  generic: [".agents/skills/waybill/SKILL.md", "AGENTS.md"],
} as const;

describe.each(AGENTS)("waybill setup --agent %s", (agent) => {
  it("writes its files once and takes out exactly those", async () => {
    const world = await makeWorld(onTestFinished);
    const before = await filesIn(world.project);
    const { code, stdout } = await world.run(["setup", "--agent", agent, "--yes"]);
    const after = await filesIn(world.project);
    const added = Object.keys(after).filter((path) => !(path in before));
    expect([code, added]).toEqual([0, WRITTEN[agent]]);
    for (const path of added) expect(stdout).toContain(`new ${join(world.project, path)}`);
    const again = await world.run(["setup", "--agent", agent, "--yes"]);
    expect([again.code, again.stdout]).toEqual([0, "all of it is here already\n"]);
    expect(await filesIn(world.project)).toEqual(after);
    await world.run(["setup", "--agent", agent, "--remove", "--yes"]);
    expect(await filesIn(world.project)).toEqual(before);
    const folders = await readdir(world.project);
    expect(folders.toSorted()).toEqual(["cards", "waybill.config.json"]);
  });

  it("writes for the user instead, below the home folder only", async () => {
    const world = await makeWorld(onTestFinished);
    const before = await filesIn(world.folder);
    await world.run(["setup", "--agent", agent, "--user", "--yes"]);
    const added = Object.keys(await filesIn(world.folder)).filter((path) => !(path in before));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((path) => !path.startsWith("home/"))).toEqual([]);
    await world.run(["setup", "--agent", agent, "--user", "--remove", "--yes"]);
    expect(await filesIn(world.folder)).toEqual(before);
  });

  it("writes nothing on a dry run, or where nobody agrees", async () => {
    const world = await makeWorld(onTestFinished);
    const before = await filesIn(world.folder);
    const argv = ["setup", "--agent", agent];
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
] as const;

describe("what somebody else wrote", () => {
  it.each(KEPT)("%s: %s keeps all the rest, to the byte", async (agent, path, text) => {
    const world = await makeWorld(onTestFinished);
    await put(world, path, text);
    await world.run(["setup", "--agent", agent, "--yes"]);
    const changed = await readFile(join(world.project, path), "utf8");
    expect(changed).not.toBe(text);
    await world.run(["setup", "--agent", agent, "--yes"]);
    expect(await readFile(join(world.project, path), "utf8")).toBe(changed);
    await world.run(["setup", "--agent", agent, "--remove", "--yes"]);
    const removed = await readFile(join(world.project, path), "utf8");
    // An object that was opened up for the entry may keep its line breaks.
    const content = (read: string): unknown => (path.endsWith(".json") ? parseJsonc(read) : read);
    expect(content(removed)).toEqual(content(text));
  });

  it("finds the server where each program looks for it", async () => {
    const world = await makeWorld(onTestFinished);
    await put(world, ".vscode/mcp.json", COMMENTED);
    for (const agent of AGENTS) await world.run(["setup", "--agent", agent, "--yes"]);
    const text = (path: string): Promise<string> => readFile(join(world.project, path), "utf8");
    expect(JSON.parse(await text(".mcp.json"))).toEqual({ mcpServers: { waybill: SERVER } });
    expect(JSON.parse(await text(".cursor/mcp.json"))).toEqual({ mcpServers: { waybill: SERVER } });
    expect(parseJsonc(await text(".vscode/mcp.json"))).toEqual({
      inputs: [],
      servers: { other: { command: "x" }, waybill: SERVER },
    });
    expect(await text(".vscode/mcp.json")).toContain("// mine");
    expect(parseToml(await text(".codex/config.toml"))).toEqual({
      mcp_servers: { waybill: SERVER },
    });
  });

  it.each([
    ["claude-code", ".mcp.json", "{ broken", "is not JSON (line 1"],
    ["claude-code", ".mcp.json", "[]", "has no object where mcpServers should be"],
    ["cursor", ".cursor/mcp.json", '{"mcpServers": 3}', "has no object"],
    ["cursor", ".cursor/rules/waybill.mdc", "mine", "is somebody else's"],
    ["cursor", ".cursor/mcp.json", '{"mcpServers":{"waybill":{"command":"x"}}}', "has another"],
    ["codex", ".codex/config.toml", "a = = 1", "is not TOML"],
    ["codex", ".codex/config.toml", "mcp_servers = { a = {} }", "is not TOML"],
    ["codex", ".codex/config.toml", '[mcp_servers.waybill]\ncommand="x"', "called waybill already"],
    ["codex", "AGENTS.md", "<!-- waybill:end -->\n", "has half a block"],
    ["generic", "AGENTS.md", "\u0000\ud800", "is not UTF-8"],
  ])("%s: %s with %j is refused, and nothing is written", async (agent, path, text, why) => {
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

  it("keeps what a user added to the entry, and leaves it on removal", async () => {
    const world = await makeWorld(onTestFinished);
    const entry = { ...SERVER, args: [...SERVER.args, "--tools", "issue.*"] };
    await put(world, ".mcp.json", JSON.stringify({ mcpServers: { waybill: entry } }));
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const argv = ["setup", "--agent", "claude-code", "--remove", "--yes"];
    const { stdout, stderr } = await world.run(argv);
    expect(stdout).toContain("gone");
    expect(stderr).toContain(`${join(world.project, ".mcp.json")} is not as setup writes it`);
    const text = await readFile(join(world.project, ".mcp.json"), "utf8");
    expect(JSON.parse(text)).toEqual({ mcpServers: { waybill: entry } });
    expect((await world.run(argv)).stdout).toBe("nothing was taken out\n");
  });

  it("leaves an entry for whole envelopes, tries it, and takes it out", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("bin/waybill", FAKE, 0o755);
    const whole = { command: "waybill", args: ["serve", "mcp"] };
    const before = '{"mcpServers":{"other":{"command":"x"}}}';
    await put(world, ".mcp.json", before.replace("}}}", `},"waybill":${JSON.stringify(whole)}}}`));
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const text = (): Promise<string> => readFile(join(world.project, ".mcp.json"), "utf8");
    expect(JSON.parse(await text())).toMatchObject({ mcpServers: { waybill: whole } });
    const { code, stdout } = await world.run(["setup", "--agent", "claude-code", "--verify"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("waybill serve mcp answers with")]);
    await world.run(["setup", "--agent", "claude-code", "--remove", "--yes"]);
    expect(JSON.parse(await text())).toEqual(JSON.parse(before));
  });

  it("keeps what a user added to the entry of Codex", async () => {
    const world = await makeWorld(onTestFinished);
    const argv = ["setup", "--agent", "codex", "--yes"];
    await world.run(argv);
    const path = join(world.project, ".codex/config.toml");
    const written = await readFile(path, "utf8");
    const own = written.replace("# waybill:end", 'env = { A = "b" }\n# waybill:end');
    await writeFile(path, own);
    await world.run(argv);
    expect(await readFile(path, "utf8")).toBe(own);
    const { stderr } = await world.run([...argv, "--remove"]);
    expect(stderr).toContain("config.toml is not as setup writes it");
    expect(await readFile(path, "utf8")).toBe(own);
  });

  it("takes out the list of servers that was made for the entry", async () => {
    const world = await makeWorld(onTestFinished);
    await put(world, ".mcp.json", '{\n  "mine": 1\n}\n');
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const { stderr } = await world.run(["setup", "--agent", "claude-code", "--remove", "--yes"]);
    expect(stderr).toBe("");
    const text = await readFile(join(world.project, ".mcp.json"), "utf8");
    expect(text).toBe('{\n  "mine": 1\n}\n');
  });
});

const FAKE = `#!${process.execPath}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} },
    "tools/list": { tools: [{ name: "execute" }, { name: "explain" }] },
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
});
`;

describe("waybill setup --verify", () => {
  const argv = ["setup", "--agent", "claude-code", "--verify"];

  it("starts the server and names its tools", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("bin/waybill", FAKE, 0o755);
    await world.run(["setup", "--agent", "claude-code", "--yes"]);
    const { code, stdout } = await world.run(argv);
    expect(stdout).toContain("waybill serve mcp --brief answers with 2 tools: execute, explain");
    expect(code).toBe(0);
  });

  it("starts nothing that a file names in place of our own command", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("bin/mine", FAKE, 0o755);
    await world.run(["setup", "--agent", "codex", "--indexed", "--yes"]);
    const path = join(world.project, ".codex/config.toml");
    await writeFile(path, (await readFile(path, "utf8")).replace('"waybill"', '"mine"'));
    const { code, stdout } = await world.run(["setup", "--agent", "codex", "--verify"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("not tried here: mine serve mcp")]);
  });

  it.each([
    ["no program", undefined, "waybill is not on PATH"],
    ["one that ends at once", `#!${process.execPath}\nconsole.error("no such thing");`, "no such"],
    ["one that prints words", `#!${process.execPath}\nconsole.log("hello");`, "what is no message"],
  ])("says what is wrong with %s", async (_name, program, why) => {
    const world = await makeWorld(onTestFinished);
    if (program !== undefined) await world.write("bin/waybill", program, 0o755);
    const { code, stdout } = await world.run(argv);
    expect(code).toBe(1);
    expect(stdout).toContain(".mcp.json is missing");
    expect(stdout).toContain("mend with: waybill setup --agent claude-code");
    expect(stdout).toContain(why);
  });
});
