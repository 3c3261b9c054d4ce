import { chmodSync, existsSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWaybill } from "@waybill/core";
import { estimateTokens, isToolEnvelope } from "@waybill/core/protocol";
import type { ToolEnvelope } from "@waybill/core";
import type { ToolSuggestion } from "@waybill/core/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { TREES } from "../fixtures/trees.ts";
import { GRAPH_TOOLS } from "../query/index.ts";
import { TOOLS, getWorkspaceContext, graphSource, openGraphTools, runGraphTool } from "./index.ts";
import type { GraphTools } from "./index.ts";

function open(files: Readonly<Record<string, string>>, prefix = ""): GraphTools & { root: string } {
  const root = temporaryTree(files);
  const tools = openGraphTools({ root, prefix, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { ...tools, root };
}

function suggestionsIn(envelope: ToolEnvelope): readonly ToolSuggestion[] {
  return envelope.data.meta.nextQuerySuggestion ?? [];
}

/** Questions that work in any tree. Those that need a target get it from other answers. */
const OPENERS: readonly [string, Record<string, unknown>][] = [
  ["digest", {}],
  ["issues", {}],
  ["cycles", {}],
  ["tree", { includeFiles: true, depth: 8 }],
  ["search", { query: "e" }],
  ["layers", { action: "check" }],
  ["layers", { action: "suggest" }],
  ["annotations", { action: "list" }],
];

describe.each(Object.entries(TREES))("graph tools on %s", (_name, files) => {
  it("the code graph answers every first question and every question that one of its answers suggests", async () => {
    const tools = open(files);
    const asked = new Set<string>();
    const pending: ToolSuggestion[] = OPENERS.map(([tool, args]) => ({ tool, args }));
    for (const path of Object.keys(files).filter((each) => each.endsWith(".ts"))) {
      for (const tool of ["module", "impact", "symbols"])
        pending.push({ tool, args: { target: path } });
      pending.push({ tool: "path", args: { from: path, to: Object.keys(files).at(-1)! } });
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const key = JSON.stringify([next.tool, next.args]);
      if (asked.has(key)) continue;
      asked.add(key);
      const envelope = await tools.call(next.tool, next.args);
      expect(envelope.success, `${key}: ${JSON.stringify(envelope.data.result)}`).toBe(true);
      expect(isToolEnvelope(envelope)).toBe(true);
      pending.push(...suggestionsIn(envelope));
    }
    expect(asked.size).toBeGreaterThan(OPENERS.length - 1);
  });

  it("the code graph keeps each answer within maxTokens", async () => {
    const tools = open(files);
    for (const [tool, args] of OPENERS) {
      const text = JSON.stringify(await tools.call(tool, { ...args, maxTokens: 260 }));
      expect(estimateTokens(text)).toBeLessThanOrEqual(260);
    }
  });

  it("a code graph question returns an equal result as a capability and as a tool", async () => {
    const root = temporaryTree(files);
    const waybill = createWaybill({ sources: [graphSource({ root })] });
    onTestFinished(() => waybill.close());
    const tools = openGraphTools({ root });
    onTestFinished(() => tools.close());
    const options = { maxTokens: 5_000 };
    const tool = await tools.call("issues", options);
    const capability = await waybill.execute("graph.issues", options);
    expect(capability).toMatchObject({ ok: true, data: tool.data.result });
    expect(capability.meta.pagination?.total).toBe(tool.data.meta.page?.total);
  });
});

const EXPRESS = TREES["an Express application"]!;

describe("pages", () => {
  it("the code graph pages through a list from start to end without gaps", async () => {
    const tools = open(EXPRESS);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { limit: 2, ...(cursor !== undefined && { cursor }) };
      const { data } = await tools.call("issues", args);
      const { issues } = data.result as { issues: { id: string }[] };
      expect(issues.length).toBeGreaterThan(0);
      seen.push(...issues.map(({ id }) => id));
      cursor = data.meta.page?.cursor;
      expect(data.meta.page?.hasMore).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    const { data } = await tools.call("issues", { limit: 500, maxTokens: 50_000 });
    expect(seen).toEqual((data.result as { issues: { id: string }[] }).issues.map(({ id }) => id));
  });

  it("a code graph question rejects the cursor of another question", async () => {
    const tools = open(EXPRESS);
    const { data } = await tools.call("issues", { limit: 1 });
    const envelope = await tools.call("search", { query: "u", cursor: data.meta.page!.cursor! });
    expect(envelope).toMatchObject({
      success: false,
      data: { result: { error: { code: "INVALID_INPUT" } } },
    });
  });
});

describe("bad input", () => {
  it.each([
    ["impact", {}, "MISSING_PARAMS"],
    ["path", { from: "a" }, "MISSING_PARAMS"],
    ["issues", { kind: "NO_SUCH_KIND" }, "INVALID_INPUT"],
    ["issues", { kinds: "ORPHAN_EXPORT" }, "INVALID_INPUT"],
    ["layers", { action: "chekc" }, "UNKNOWN_ACTION"],
    [
      "layers",
      { action: "check", rules: { forbidden: [{ name: "r", to: { path: "{" } }] } },
      "INVALID_INPUT",
    ],
    ["annotations", { action: "addEdge", from: "a.ts" }, "MISSING_PARAMS"],
    ["annotations", { action: "addEdge", from: "../a.ts", to: "b.ts" }, "INVALID_INPUT"],
    ["annotations", { action: "remove", id: "edge-9" }, "NOT_FOUND"],
    ["impact", { target: "src/server.tss" }, "NOT_FOUND"],
    ["impact", { target: "../../etc/passwd" }, "INVALID_INPUT"],
    ["module", { target: "/etc/passwd" }, "INVALID_INPUT"],
    ["tree", { path: "/etc" }, "INVALID_INPUT"],
    ["tree", { pattern: "{".repeat(50) }, "INVALID_INPUT"],
    ["digest", { scope: "../.." }, "INVALID_INPUT"],
    ["digest", { maxTokens: 5 }, "INVALID_INPUT"],
    ["issue_explain", { issueId: "XX-1" }, "NOT_FOUND"],
    ["changes", { since: "--output=x" }, "NOT_FOUND"],
    ["changes", { since: "no-such-branch" }, "NOT_FOUND"],
  ])("the code graph question %s with %j returns %s", async (tool, args, code) => {
    const envelope = await open(EXPRESS).call(tool, args);
    expect(envelope).toMatchObject({ success: false, data: { result: { error: { code } } } });
    expect(isToolEnvelope(envelope)).toBe(true);
  });

  it("the code graph lists the candidates of an ambiguous name", async () => {
    const tools = open({ "a.ts": "export const x = 1;", "b.ts": "export const x = 2;" });
    const envelope = await tools.call("impact", { target: "x" });
    expect(envelope.data.result).toMatchObject({
      error: { code: "AMBIGUOUS", details: { candidates: ["a.ts#x", "b.ts#x"] } },
    });
  });

  it("the code graph suggests the nearest name for an unknown tool", async () => {
    const { data } = await open({}).call("digets");
    expect(data.result).toMatchObject({
      error: { code: "NOT_FOUND", details: { did_you_mean: ["digest"] } },
    });
  });

  it("the code graph answers a scope pattern with 200 stars without blocking", async () => {
    const tools = open(EXPRESS);
    const envelope = await tools.call("digest", { scope: `${"*a".repeat(200)}b` });
    expect(envelope.data.result).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("the code graph returns CANCELLED for a cancelled question", async () => {
    const envelope = await open(EXPRESS).call("digest", {}, { signal: AbortSignal.abort() });
    expect(envelope.data.result).toMatchObject({ error: { code: "CANCELLED" } });
  });

  it("the code graph does not read source lines through a symbolic link out of the root", async () => {
    const { root, ...tools } = open({ "a.ts": "export const secret = 1;\n" });
    const outside = temporaryTree({ "a.ts": "root:x:0:0\n" });
    await tools.call("digest");
    unlinkSync(join(root, "a.ts"));
    symlinkSync(join(outside, "a.ts"), join(root, "a.ts"));
    const text = JSON.stringify(await tools.call("definition", { symbol: "secret" }));
    expect(text).not.toContain("root:x");
  });
});

describe("annotations", () => {
  it("the code graph applies a new or removed annotated edge at once", async () => {
    const tools = open(TREES["imports known only at run time"]!);
    const importers = async (): Promise<unknown> => {
      const { data } = await tools.call("module", { target: "plugins/one.ts" });
      return (data.result as { importedBy: string[] }).importedBy;
    };
    expect(await importers()).toEqual([]);
    const args = { action: "addEdge", from: "index.ts", to: "plugins/*.ts", reason: "by name" };
    const added = await tools.call("annotations", args);
    expect(added.data.result).toMatchObject({ success: true, id: "edge-1" });
    expect(await importers()).toEqual(["index.ts"]);
    await tools.call("annotations", { action: "remove", id: "edge-1" });
    expect(await importers()).toEqual([]);
  });

  it("the code graph does not report a file as unreachable after an annotation names it as an entrypoint", async () => {
    const tools = open({
      "package.json": '{ "main": "src/app.ts", "dependencies": { "express": "5" } }',
      "src/app.ts": 'import express from "express";\nexport const app = express();',
      "src/users.ts":
        'import { Router } from "express";\nexport const users = Router();\nusers.get("/users", (_q, s) => s.end());',
    });
    const kinds = async (): Promise<unknown> =>
      (await tools.call("issues", { groupBy: "kind" })).data.result;
    expect(await kinds()).toMatchObject({ stats: { byKind: { HANDLER_UNREACHABLE: 1 } } });
    const args = { action: "addEntrypoint", path: "src/users.ts", type: "route" };
    expect((await tools.call("annotations", args)).data.result).toMatchObject({ success: true });
    expect(await kinds()).toMatchObject({ stats: { total: 0 } });
  });

  it("the code graph hides all issues of an ignored path", async () => {
    const tools = open(TREES["broken files"]!);
    const kinds = async (): Promise<unknown> => (await tools.call("digest")).data.result;
    await tools.call("annotations", { action: "addIgnore", path: "**" });
    expect(await kinds()).toMatchObject({ issues: {} });
  });

  it("the code graph returns INVALID_INPUT for a broken annotations file", async () => {
    const { root, ...tools } = open(EXPRESS);
    mkdirSync(join(root, ".waybill/graph"), { recursive: true });
    writeFileSync(join(root, ".waybill/graph/annotations.json"), "{ broken");
    const envelope = await tools.call("digest");
    expect(envelope.data.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  });
});

describe("git", () => {
  it("graph_changes reports changed files, affected tests and new issues", async () => {
    const { root, ...tools } = open(EXPRESS);
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "first");
    writeFileSync(
      join(root, "src/store/connection.ts"),
      'import "./missing.ts";\nexport function connect(): void {}\n',
    );
    const { data } = await tools.call("changes", { since: "HEAD" });
    expect(data.result).toMatchObject({
      changed: [{ path: "src/store/connection.ts", status: "modified" }],
      affectedTests: ["src/users.test.ts"],
    });
    expect(Reflect.get(Object(data.result), "newIssues")).toContainEqual(
      expect.objectContaining({ kind: "UNRESOLVED_IMPORT", file: "src/store/connection.ts" }),
    );
    expect(data.workspace.rev).toMatch(/^[0-9a-f]{12}$/u);
    const impact = await tools.call("impact", { changedSince: "working" });
    expect(impact.data.result).toMatchObject({ targetType: "diff" });
    const issues = await tools.call("issues", { changedSince: "HEAD", kind: "UNRESOLVED_IMPORT" });
    expect(issues.data.result).toMatchObject({ stats: { total: 1 } });
    expect(getWorkspaceContext(root)).toMatchObject({ root });
  });

  it("the code graph runs git to find the commit only inside a repository", () => {
    const root = temporaryTree({ "bin/git": "#!/bin/sh\ntouch asked\n", "a.ts": "" });
    chmodSync(join(root, "bin/git"), 0o755);
    vi.stubEnv("PATH", `${join(root, "bin")}:${process.env["PATH"]}`);
    expect(getWorkspaceContext(root)).not.toHaveProperty("rev");
    expect(existsSync(join(root, "asked"))).toBe(false);
    mkdirSync(join(root, ".git"));
    getWorkspaceContext(root);
    expect(existsSync(join(root, "asked"))).toBe(true);
  });

  it("graph_changes returns an error outside a repository", async () => {
    const { data } = await open(EXPRESS).call("changes", { since: "working" });
    expect(data.result).toHaveProperty("error.code");
  });
});

describe("tool names", () => {
  it("all code graph tools and suggestions have the configured prefix", async () => {
    const tools = open(EXPRESS, "ouroborosai_");
    const envelope = await tools.call("ouroborosai_graph_digest");
    expect(envelope.data.tool).toBe("ouroborosai_graph_digest");
    for (const { tool } of suggestionsIn(envelope)) expect(tool).toMatch(/^ouroborosai_graph_/u);
    expect(TOOLS.GRAPH_DIGEST).toBe("graph_digest");
    expect(tools.tools.map(({ name }) => name)).toHaveLength(GRAPH_TOOLS.length);
  });

  it("the code graph runs a single tool without loading all tools first", async () => {
    const root = temporaryTree(EXPRESS);
    expect(await runGraphTool("graph_tree", {}, { root })).toMatchObject({ success: true });
  });
});

describe("unusable saved graph", () => {
  it("the code graph rebuilds an unusable saved graph and says so in the first answer only", async () => {
    const root = temporaryTree({ "a.ts": "export const a = 1;" });
    await runGraphTool("digest", {}, { root });
    writeFileSync(join(root, ".waybill/graph/cache/graph.bin"), "no graph");
    const tools = openGraphTools({ root });
    onTestFinished(() => tools.close());
    const { data } = await tools.call("digest");
    expect(data.result).toMatchObject({
      index: { notes: [expect.stringContaining("built again") as unknown] },
    });
    expect((await tools.call("digest")).data.result).not.toHaveProperty("index");
  });
});

describe("waiting for symbols", () => {
  /** So many files that the symbols are never complete as early as the modules. */
  const manyFiles = Object.fromEntries(
    Array.from({ length: 160 }, (_, file) => [
      `src/f${file}.ts`,
      `export const app = express();\n${"export function f(a: number) { return a; }\n".repeat(20)}`,
    ]),
  );

  it("the code graph waits for symbols up to patienceMs and says when symbols are missing", async () => {
    const root = temporaryTree({ ...manyFiles, "package.json": "{}" });
    const hasty = await runGraphTool("digest", {}, { root, patienceMs: 0 });
    expect(hasty.data.result).toMatchObject({ index: { phase: "modules" } });
    const early = await runGraphTool("impact", { target: "nothing" }, { root, patienceMs: 0 });
    expect(JSON.stringify(early.data.result)).toContain("not all symbols are read");
    const told: string[] = [];
    const onProgress = ({ phase }: { phase: string }): unknown => told.push(phase);
    const patient = await runGraphTool("digest", {}, { root, patienceMs: 60_000, onProgress });
    expect(patient.data.result).not.toHaveProperty("index");
    expect(told).toContain("symbols");
  });

  it("the code graph lists the issue kinds that were not checked while symbols are missing", async () => {
    const root = temporaryTree({ ...manyFiles, "package.json": "{}" });
    const some = await runGraphTool("issues", {}, { root, patienceMs: 0 });
    expect(some.data.result).toMatchObject({
      completeness: "lower-bound",
      notLookedFor: expect.arrayContaining(["ORPHAN_EXPORT", "HANDLER_UNREACHABLE"]) as unknown,
    });
    const none = await runGraphTool("issues", { kind: "ORPHAN_EXPORT" }, { root, patienceMs: 0 });
    expect(none).toMatchObject({
      success: false,
      data: { result: { error: { code: "NOT_AVAILABLE" } } },
    });
    const all = await runGraphTool("issues", {}, { root, patienceMs: 60_000 });
    expect(all.data.result).not.toHaveProperty("completeness");
  });

  it("the code graph lists affected tests only after the symbols, which say which files are tests", async () => {
    const test = 'import { f } from "./f0.ts";\nf(1);';
    const root = temporaryTree({ ...manyFiles, "src/f0.test.ts": test, "package.json": "{}" });
    const hasty = await runGraphTool("tests", { target: "src/f0.ts" }, { root, patienceMs: 0 });
    expect(hasty.data.result).toMatchObject({ tests: ["src/f0.test.ts"], testsTotal: 1 });
    expect(hasty.data.result).not.toHaveProperty("index");
  });

  it("the code graph stops waiting for symbols when the caller cancels", async () => {
    const root = temporaryTree(manyFiles);
    const tools = openGraphTools({ root, patienceMs: 60_000 });
    onTestFinished(() => tools.close());
    const envelope = await tools.call("digest", {}, { signal: AbortSignal.abort() });
    expect(envelope.success).toBe(false);
  });
});

describe("repeated questions", () => {
  it("the code graph includes files that changed since the first question", async () => {
    const tools = open({ "a.ts": 'import "./b.ts";', "b.ts": "" });
    await tools.call("module", { target: "a.ts" });
    writeFileSync(join(tools.root, "b.ts"), 'import "./a.ts";');
    const { data } = await tools.call("impact", { target: "a.ts" });
    expect(data.result).toMatchObject({ directDependents: ["b.ts"] });
  });

  it("the next answer of the code graph includes new files and leaves out deleted files", async () => {
    const tools = open({ "a.ts": 'import "./b.ts";', "b.ts": "" });
    await tools.call("module", { target: "a.ts" });
    await tools.call("module", { target: "a.ts" });
    for (const name of ["c", "d", "e"]) {
      writeFileSync(join(tools.root, `${name}.ts`), 'import "./a.ts";');
      const { data } = await tools.call("impact", { target: "a.ts" });
      expect(data.result).toMatchObject({
        directDependents: expect.arrayContaining([`${name}.ts`]) as unknown,
      });
    }
    unlinkSync(join(tools.root, "c.ts"));
    const { data } = await tools.call("impact", { target: "a.ts" });
    expect(data.result).toMatchObject({ directDependents: ["d.ts", "e.ts"] });
  });
});

describe("large trees", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 1_200 }, (_, at) => [
      `m${at % 30}/deep/er/f${at}.ts`,
      `export class C${at} { same() {} }`,
    ]),
  );

  it("graph_tree shows a large tree within maxTokens and still counts all files", async () => {
    const tools = open(wide);
    const args = { depth: 8, includeFiles: true, maxTokens: 700 };
    const { data } = await tools.call("tree", args);
    expect(data.meta.truncated).toBe(true);
    expect(estimateTokens(JSON.stringify({ success: true, data }))).toBeLessThanOrEqual(700);
    expect(data.result).toMatchObject({ tree: { stats: { files: 1_200, folders: 90 } } });
    const { data: matching } = await tools.call("tree", { pattern: "f1?.ts", depth: 1 });
    expect(matching.result).toMatchObject({ tree: { stats: { files: 10, folders: 30 } } });
  });

  it("the code graph lists some candidates for a name that very many symbols share", async () => {
    const tools = open(wide);
    const { data } = await tools.call("impact", { target: "same" });
    expect(data.result).toMatchObject({
      error: {
        message: expect.stringContaining("very many") as unknown,
        details: { candidates: expect.arrayContaining(["m0/deep/er/f0.ts#C0.same"]) as unknown },
      },
    });
  });
});

describe("fields of an answer", () => {
  it("an answer of the code graph leaves out false and empty fields", async () => {
    const tools = open({
      "a.ts": "export function f() {}",
      "a.test.ts": 'import { f } from "./a.ts";\nit("works", () => f());',
    });
    const { data: used } = await tools.call("references", { symbol: "f" });
    expect(used.result).toMatchObject({
      references: [{ path: "a.ts", isDefinition: true }, { path: "a.test.ts" }, { line: 2 }],
    });
    expect(JSON.stringify(used.result)).not.toContain("false");
    const args = { target: "a.ts", include: ["affectedTests"] };
    const { data: tested } = await tools.call("impact", args);
    expect(tested.result).toMatchObject({ affectedTests: ["a.test.ts"] });
    expect(tested.meta).toMatchObject({ page: { hasMore: false, total: 1 } });
    expect(tested.meta).not.toHaveProperty("nextQuerySuggestion");
  });
});

describe("missing entrypoint files", () => {
  const manifest = JSON.stringify(
    {
      name: "x",
      main: "./index.js",
      bin: { x: "./bin/x.js", y: "./bin/y.js" },
      exports: { ".": "./dist/index.js", "./gone": "./lib/gone.js", "./types": "./lib/t.d.ts" },
    },
    null,
    1,
  );
  const files = {
    "package.json": manifest,
    "index.ts": "",
    "bin/x.ts": "",
    "lib/other.ts": "",
    "serverless.yml":
      "functions:\n  a:\n    handler: src/a.main\n  b:\n    handler: src/b.main # gone\n",
    "src/a.ts": "export const main = () => 1;",
  };

  it("the code graph reports an entry of package.json without a file, unless the file is built or has another extension", async () => {
    const tools = open(files);
    const { data } = await tools.call("issues", { kind: "ENTRY_MISSING_HANDLER" });
    expect(data.result).toMatchObject({
      issues: [
        {
          file: "package.json",
          line: 6,
          summary: expect.stringContaining("./bin/y.js") as unknown,
        },
        { file: "package.json", line: 10, summary: expect.stringContaining("gone.js") as unknown },
        {
          file: "serverless.yml",
          line: 5,
          summary: expect.stringContaining("src/b.main") as unknown,
        },
      ],
    });
    const { data: unresolved } = await tools.call("issues", { kind: "UNRESOLVED_IMPORT" });
    expect(unresolved.result).toMatchObject({ issues: [] });
  });
});
