import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadChecker } from "@waybill/core/schema";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { ConfigSchema, readConfig } from "./index.ts";

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(onTestFinished), "waybill.config.json");
  await writeFile(path, content);
  return path;
}

const SOURCE = { kind: "cards", folder: "cards" };

describe("readConfig", () => {
  it("readConfig resolves paths relative to the file and returns its digest", async () => {
    const text = JSON.stringify({ $schema: "x", sources: { a: SOURCE }, state: "../state" });
    const path = await fileWith(text);
    const { config, digest } = await readConfig(path);
    expect(config.sources?.["a"]).toMatchObject({ folder: join(path, "../cards") });
    expect(config.state).toBe(join(path, "../../state"));
    expect(digest).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it.each<readonly [string, string | Uint8Array, string]>([
    ["an unknown key", '{"polcy": {}}', "/polcy is not a known name here; did you mean policy?"],
    [
      "the version of a newer Waybill",
      '{"version": 2, "newKey": {}}',
      "has version 2, but this Waybill reads version 1. Update Waybill to use the file",
    ],
    ["an unknown nested key", '{"policy": {"readonly": true}}', "did you mean read_only?"],
    ["a wrong type", '{"policy": {"read_only": "yes"}}', "/policy/read_only"],
    ["a wrong choice", '{"policy": {"confirm": "write"}}', "/policy/confirm"],
    [
      "a source without a folder",
      '{"sources": {"a": {"kind": "cards"}}}',
      "/sources/a/folder is required",
    ],
    [
      "a source of another kind",
      '{"sources": {"a": {"kind": "x", "folder": "c"}}}',
      "/sources/a/kind",
    ],
    [
      "a token in plain text",
      JSON.stringify({ sources: { a: { ...SOURCE, token: "abc" } } }),
      "/sources/a/token",
    ],
    [
      "a program other than gh",
      JSON.stringify({ sources: { a: { ...SOURCE, cli: { program: "rm" } } } }),
      "/sources/a/cli/program",
    ],
    [
      "a URL that is not http",
      JSON.stringify({ sources: { a: { ...SOURCE, graphql: { url: "ftp://x" } } } }),
      "/sources/a/graphql/url",
    ],
    [
      "a malformed URL",
      JSON.stringify({ sources: { a: { ...SOURCE, rest: { baseUrl: "http://[x" } } } }),
      "/sources/a/rest/baseUrl is not a URL such as https://api.example.com",
    ],
    ["an invalid source name", JSON.stringify({ sources: { __proto__x: SOURCE } }), "/sources"],
    ["a list instead of an object", "[]", "the file"],
    ["JSON that is cut off", '{"policy":', "is not JSON"],
    ["an empty file", "", "is not JSON"],
    ["a binary file", Uint8Array.of(0xff, 0x00), "is not UTF-8 text; save it as UTF-8"],
  ])("readConfig refuses %s", async (_name, content, problem) => {
    const path = await fileWith(content);
    const failure = readConfig(path);
    await expect(failure).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(failure).rejects.toThrow(`${path}: `);
    await expect(failure).rejects.toThrow(problem);
  });

  it.each(["ghp_secret1234567890", '{"policy": ghp_secret1234567890}', "# ghp_secret1234567890"])(
    "readConfig's error does not quote a file that is not JSON, because the file may be a link to a secret: %s",
    async (content) => {
      const path = await fileWith(content);
      const failure: unknown = await readConfig(path).catch((error: unknown) => error);
      expect(String(failure)).toMatch(/is not JSON: Unexpected token '.'$/u);
      expect(String(failure)).not.toContain("ghp_");
    },
  );

  it.each<readonly [object, string]>([
    [{ kind: "mcp" }, "/sources/a"],
    [{ kind: "mcp", command: "x", url: "https://a.example" }, "/sources/a"],
    [{ kind: "openapi" }, "/sources/a/document is required"],
    [{ kind: "openapi", document: "d", credentials: { k: "abc" } }, "/sources/a/credentials/k"],
    [
      { kind: "graphql", url: "http://[x" },
      "/sources/a/url is not a URL such as https://api.example.com",
    ],
    [{ kind: "graphql", url: "https://a.example", token: { env: "A", command: ["b"] } }, "token"],
    [{ kind: "command", manifst: "m" }, "did you mean manifest"],
  ])("readConfig refuses the source %j", async (source, problem) => {
    const path = await fileWith(JSON.stringify({ sources: { a: source } }));
    await expect(readConfig(path)).rejects.toThrow(problem);
  });

  it("readConfig resolves every path of a source relative to the file", async () => {
    const sources = {
      api: { kind: "openapi", document: "api.yaml" },
      web: { kind: "openapi", document: "https://a.example/api.yaml" },
      graph: { kind: "graphql", url: "https://a.example", schema: "s", documents: ["d"] },
      tool: { kind: "command", manifest: "tool.yaml", cwd: "." },
      near: { kind: "mcp", command: "./server.mjs" },
      far: { kind: "mcp", command: "npx", args: ["./x"] },
    };
    const path = await fileWith(JSON.stringify({ sources }));
    const from = (name: string): string => join(path, "..", name);
    expect((await readConfig(path)).config.sources).toEqual({
      api: { ...sources.api, document: from("api.yaml") },
      web: sources.web,
      graph: { ...sources.graph, schema: from("s"), documents: [from("d")] },
      tool: { ...sources.tool, manifest: from("tool.yaml"), cwd: from(".") },
      near: { ...sources.near, command: from("server.mjs"), cwd: from(".") },
      far: { ...sources.far, cwd: from(".") },
    });
  });

  it("a command that prints a secret runs in the folder of the configuration, for sources and for HTTP tokens", async () => {
    const token = { command: ["./token", "scripts/a.sh"] };
    const cards = { ...SOURCE, token };
    const http = { tokens: { ada: { token } } };
    const path = await fileWith(JSON.stringify({ sources: { a: cards }, http }));
    const folder = join(path, "..");
    const located = { command: [join(folder, "token"), "scripts/a.sh"], cwd: folder };
    const { config } = await readConfig(path);
    expect(config.sources?.["a"]).toMatchObject({ token: located });
    expect(config.http?.tokens?.["ada"]?.token).toEqual(located);
  });

  it("readConfig refuses a missing file and a folder", async () => {
    const folder = await temporaryFolder(onTestFinished);
    await mkdir(join(folder, "waybill.config.json"));
    await expect(readConfig(join(folder, "waybill.config.json"))).rejects.toThrow("EISDIR");
    await expect(readConfig(join(folder, "none"))).rejects.toThrow("there is no such file");
  });

  it("the configuration schema has no broken references", async () => {
    const { traits } = (await loadChecker()).compile(ConfigSchema);
    expect(traits.brokenRefs).toEqual([]);
  });
});
