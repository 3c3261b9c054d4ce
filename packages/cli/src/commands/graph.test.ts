import { parseBrief } from "@waybill/core";
import { isToolEnvelope } from "@waybill/core/protocol";
import type { ToolEnvelope } from "@waybill/core";
import { listGraphTools } from "@waybill/codegraph";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { makeCode } from "../fixtures/code.ts";
import type { Ended } from "../fixtures/world.ts";

function getEnvelope({ stdout }: Ended): ToolEnvelope {
  return JSON.parse(stdout) as ToolEnvelope;
}

const COMMON = ["maxTokens", "cursor", "scope"];

describe("waybill graph", () => {
  it("waybill graph obeys the policy for the graph capability that a tool belongs to", async () => {
    const world = await makeCode();
    await world.writeUserConfig({ policy: { deny: ["graph.digest"] } });
    const denied = await world.run(["graph", "digest", "--root", "../code"]);
    expect([denied.code, denied.stdout.includes("policy does not allow")]).toEqual([2, true]);
    expect((await world.run(["graph", "issues", "--root", "../code"])).code).toBe(0);
    await world.writeUserConfig({ policy: { read_only: true } });
    expect((await world.run(["graph", "digest", "--root", "../code"])).code).toBe(0);
    const write = ["graph", "annotations", "action=addIgnore", "path=lib", "--root", "../code"];
    expect((await world.run(write)).code).toBe(2);
  });

  it("waybill graph answers in one line without any configuration", async () => {
    const world = await makeCode();
    const ended = await world.run(["graph", "digest"], { cwd: `${world.folder}/code` });
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(isToolEnvelope(getEnvelope(ended))).toBe(true);
    expect(ended.stdout.split("\n")).toHaveLength(2);
    expect(getEnvelope(ended).data.result).toMatchObject({ summary: { files: 2, edges: 1 } });
  });

  it.each([
    ["key=value", ["from=index.ts", "to=lib/a.ts", "includeEdgeDetails=true"]],
    ["--args", ["--args", '{"from":"index.ts","to":"lib/a.ts","includeEdgeDetails":true}']],
    [
      "both forms at once",
      ["--args", '{"from":"index.ts","to":"?"}', "to=lib/a.ts", "includeEdgeDetails=true"],
    ],
  ])("waybill graph takes inputs by %s", async (_name, words) => {
    const world = await makeCode();
    const ended = await world.run(["graph", "path", "--root", "../code", ...words]);
    expect(getEnvelope(ended).data.result).toMatchObject({
      connected: true,
      paths: [{ nodes: ["index.ts", "lib/a.ts"], edges: [{ line: 1 }] }],
    });
  });

  it("waybill graph applies maxTokens from the command line and shows the limit in the meta of the answer", async () => {
    const world = await makeCode();
    const ended = await world.run(["graph", "digest", "--root", "../code", "maxTokens=20000"]);
    expect(getEnvelope(ended).data.meta).toMatchObject({ limits: { maxTokens: 20_000 } });
  });

  it.each([
    ["one value", ["include=issues"], ["issues"]],
    ["values separated by commas", ["include=summary,issues"], ["summary", "issues"]],
    ["a repeated key", ["include=summary", "include=issues"], ["summary", "issues"]],
    ["JSON", ['include=["summary"]'], ["summary"]],
  ])("waybill graph takes a list as %s", async (_name, words, parts) => {
    const world = await makeCode();
    const ended = await world.run(["graph", "digest", "--root", "../code", ...words]);
    const shown = Object.keys(getEnvelope(ended).data.result as object);
    expect(shown.filter((part) => ["summary", "issues", "hotspots"].includes(part))).toEqual(parts);
  });

  it("waybill graph names a wrong item of a list, and refuses two values for an input that is not a list", async () => {
    const world = await makeCode();
    const ask = async (...words: string[]): Promise<unknown> => {
      const ended = await world.run(["graph", ...words, "--root", "../code", "--brief"]);
      return parseBrief(ended.stdout).error;
    };
    expect(await ask("digest", "include=summary", "include=isues")).toMatchObject({
      details: { errors: [{ path: ["include", "1"], did_you_mean: "issues" }] },
    });
    expect(await ask("issue_fixplan", "issueIds=x")).toMatchObject({ code: "NOT_FOUND" });
    expect(await ask("issue_fixplan", "issueIds=x,y")).toMatchObject({
      message: expect.stringContaining("issueIds") as string,
    });
    expect(await ask("digest", "hotspotLimit=1", "hotspotLimit=2")).toMatchObject({
      message: expect.stringContaining("hotspotLimit") as string,
    });
  });

  it("waybill graph exits with 1 for a failed tool and 2 for a wrong command line", async () => {
    const world = await makeCode();
    const missing = await world.run(["graph", "impact", "--root", "../code", "target=lib/b.ts"]);
    expect([missing.code, getEnvelope(missing).success]).toEqual([1, false]);
    const wrong = await world.run(["graph", "impcat", "--root", "../code"]);
    expect(wrong.code).toBe(2);
    expect(getEnvelope(wrong).data.result).toMatchObject({
      error: { code: "NOT_FOUND", details: { did_you_mean: ["impact"] } },
    });
    for (const line of [
      ["graph"],
      ["graph", "digest", "--root", "nowhere"],
      ["graph", "digest", "word"],
      ["graph", "digest", "--args", "[]"],
      ["graph", "digest", "--depth", "2"],
    ]) {
      expect((await world.run(line)).code).toBe(2);
    }
  });

  it("waybill graph --brief answers in brief text", async () => {
    const world = await makeCode();
    const ask = async (...words: string[]) => {
      const ended = await world.run(["graph", ...words, "--root", "../code", "--brief"]);
      return [ended.code, parseBrief(ended.stdout)] as const;
    };
    const cut = ["search", "query=a", "type=file", "limit=1"];
    expect(await ask("path", "from=index.ts", "to=lib/a.ts")).toMatchObject([
      0,
      { data: { connected: true }, meta: {} },
    ]);
    expect(await ask("search", "query=zzqq")).toMatchObject([
      0,
      { data: { results: [] }, meta: { nextQuerySuggestion: [expect.anything()] } },
    ]);
    await world.write("code/aa.ts", "export {};\n");
    expect(await ask(...cut)).toMatchObject([0, { meta: { page: { hasMore: true } } }]);
    expect(await ask("impact", "target=lib/b.ts")).toMatchObject([
      1,
      { error: { code: "NOT_FOUND" } },
    ]);
  });

  it("waybill graph --help lists every tool with all its inputs in at most 760 tokens", async () => {
    const world = await makeCode();
    const { stdout } = await world.run(["graph", "--help"]);
    for (const { name, inputSchema } of listGraphTools()) {
      const head = `  ${name.replace("graph_", "")}(`;
      const line = stdout.split("\n").find((each) => each.startsWith(head)) ?? "";
      const named = line.slice(head.length).match(/(?<=^|, )\w+/gu) ?? [];
      const { properties = {} } = inputSchema as { properties?: object };
      const own = Object.keys(properties).filter((input) => !COMMON.includes(input));
      expect([name, named.toSorted()]).toEqual([name, own.toSorted()]);
    }
    expect(stdout).toContain("call_hierarchy(path?, line?, column?, symbol?, direction?:incoming|");
    expect(stdout).toContain("path(from, to, maxDepth?");
    expect(stdout).toContain("annotations(action:list|addEdge|addEntrypoint|addIgnore|remove,");
    expect(stdout.match(/include\[\]\?:\w+\|/gu)).toHaveLength(3);
    expect(countTokens(stdout)).toBeLessThanOrEqual(760);
  });

  it("waybill graph --prefix sets the prefix of tool names", async () => {
    const world = await makeCode();
    const ended = await world.run(["graph", "tree", "--root", "../code", "--prefix", "x_"]);
    expect(getEnvelope(ended).data.tool).toBe("x_graph_tree");
  });
});

describe("waybill graph export", () => {
  it.each([
    ["mermaid", "graph LR"],
    ["dot", "digraph code {"],
    ["svg", "<svg "],
    ["json", '{\n  "level": "file"'],
  ])("waybill graph export prints %s", async (format, start) => {
    const world = await makeCode();
    const ended = await world.run(["graph", "export", "--root", "../code", "--format", format]);
    expect(ended.code).toBe(0);
    expect(ended.stdout.startsWith(start)).toBe(true);
    expect(ended.stdout).toContain("a.ts");
  });

  it("waybill graph export refuses an unknown format and wrong options", async () => {
    const world = await makeCode();
    expect((await world.run(["graph", "export", "--format", "png"])).code).toBe(2);
    expect((await world.run(["graph", "export", "--max-nodes", "0"])).code).toBe(2);
    expect((await world.run(["graph", "export", "word"])).code).toBe(2);
  });
});

describe("waybill graph watch", () => {
  it("waybill graph watch prints the graph and then each change until it is interrupted", async () => {
    const world = await makeCode();
    const stop = new AbortController();
    const lines: { files: number; watching: string }[] = [];
    const { Writable } = await import("node:stream");
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as (typeof lines)[number]);
        done();
        if (lines.length === 1) void world.write("code/c.ts", "export const c = 1;\n");
        else stop.abort();
      },
    });
    const more = { stdout, signal: stop.signal };
    const ended = await world.run(["graph", "watch", "--root", "../code"], more);
    expect(ended.code).toBe(0);
    expect(lines[0]).toMatchObject({
      files: 2,
      watching: expect.stringMatching(/events|polling/u) as unknown,
    });
    expect(lines[1]).toMatchObject({ files: 3 });
  });
});
