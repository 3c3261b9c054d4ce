import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { versionFiles } from "../scripts/version-files.mjs";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly private?: boolean;
  readonly mcpName?: string;
  readonly repository: { readonly url: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
const manifestIn = (folder: string) => readJson(`packages/${folder}/package.json`) as Manifest;
const published = readdirSync(join(root, "packages")).filter((folder) => {
  return manifestIn(folder).private !== true;
});
const command = manifestIn("cli");

describe.each(published)("package in packages/%s", (folder) => {
  it("each package.json states repository, description, keywords and provenance", () => {
    const { repository } = readJson("package.json") as Manifest;
    const manifest = manifestIn(folder);
    expect(manifest.description).toMatch(/^[A-Z].{20,}/);
    expect(manifest.keywords).toContain("agent");
    expect(manifest).toMatchObject({
      license: "MIT",
      repository: { ...repository, directory: `packages/${folder}` },
      publishConfig: { access: "public", provenance: true },
      engines: { node: ">=20.19" },
    });
  });

  it("each package has a README that starts with the package's name and says how to install it", () => {
    const file = join(root, "packages", folder, "README.md");
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(new RegExp(`^# ${manifestIn(folder).name}\n`));
    expect(text).toContain(
      folder === "cli" ? "npx waybill" : `npm install ${manifestIn(folder).name}`,
    );
  });

  it("all packages have one version and require exactly that version of each other", () => {
    const { version, dependencies = {} } = manifestIn(folder);
    const own = Object.entries(dependencies).filter(([name]) => name.startsWith("@waybill/"));
    expect(
      [version, ...own.map(([, needed]) => needed)].every((each) => each === command.version),
    ).toBe(true);
  });
});

describe("files about the command", () => {
  it("server.json names package and version as the MCP registry requires", () => {
    const server = readJson("server.json") as {
      name: string;
      description: string;
      version: string;
      packages: { identifier: string; version: string }[];
    };
    expect(server.name).toBe(command.mcpName);
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(server.version).toBe(command.version);
    const { identifier, version } = server.packages[0]!;
    expect([identifier, version]).toEqual([command.name, command.version]);
  });

  it.each(Object.entries(versionFiles))(
    "%s names the current version of Waybill",
    (path, named) => {
      const found = readFileSync(join(root, path), "utf8").match(named) ?? [];
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(found)).toEqual(new Set([command.version]));
    },
  );

  it("the Claude Code plugin starts the current version of Waybill", () => {
    const servers = JSON.stringify(readJson("plugin/.mcp.json"));
    expect(servers).toContain(`waybill@${command.version}`);
    expect(readJson("plugin/.claude-plugin/plugin.json")).toMatchObject({
      version: command.version,
    });
  });
});

it("changesets name only published packages", () => {
  const files = readdirSync(join(root, ".changeset")).filter((name) => /^[a-z].*\.md$/.test(name));
  const names = new Set(published.map((folder) => manifestIn(folder).name));
  const unknown = files.flatMap((file) => {
    const [, head = ""] =
      /^---\n([^]*?)\n---/.exec(readFileSync(join(root, ".changeset", file), "utf8")) ?? [];
    const named = [...head.matchAll(/^"?([@\w/-]+)"?:/gm)].map(([, name = ""]) => name);
    return named.filter((name) => !names.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(unknown).toEqual([]);
});
