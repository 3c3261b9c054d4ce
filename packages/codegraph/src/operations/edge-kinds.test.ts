import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

function open(files: Readonly<Record<string, string>>): GraphTools {
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return tools;
}

describe("registered handlers", () => {
  const files = {
    "package.json": JSON.stringify({ name: "x", dependencies: { "@nestjs/common": "11.0.0" } }),
    "cats.controller.ts":
      'import { Controller, Get } from "@nestjs/common";\n\n@Controller("cats")\nexport class Cats {\n  @Get()\n  all() {\n    return this.load();\n  }\n  load() {\n    return [];\n  }\n}\n',
    "server.ts":
      'import express from "express";\nconst app = express();\nfunction list() {}\napp.get("/", list);\nexport function again() {\n  list();\n}\n',
  };

  it("the code graph lists the place that registers a handler as a register site, not as a call", async () => {
    const tools = open(files);
    const { data } = await tools.call("call_hierarchy", { symbol: "Cats.all" });
    expect(data.result).toMatchObject({
      callers: [{ from: { name: "Cats" }, registerSites: [expect.any(String)] }],
      callees: [{ to: { name: "Cats.load" }, callSites: ["7:17"] }],
      stats: { callers: 0, callees: 1, registers: 1 },
    });
    expect(JSON.stringify(data.result).match(/callSites/gu)).toHaveLength(1);
  });

  it("the code graph distinguishes register sites from call sites of the same function", async () => {
    const tools = open(files);
    const { data } = await tools.call("call_hierarchy", { symbol: "server.ts#list" });
    expect(data.result).toMatchObject({
      callers: expect.arrayContaining([
        { from: { name: "(module)", path: "server.ts" }, registerSites: ["4:14"] },
        expect.objectContaining({ callSites: ["6:3"] }),
      ]) as unknown,
      stats: { callers: 1, registers: 1 },
    });
  });

  it("the code graph marks a reference that registers a handler with kind: register", async () => {
    const { data } = await open(files).call("references", { symbol: "server.ts#list" });
    expect(data.result).toMatchObject({
      references: [{ line: 3, isDefinition: true }, { line: 4, kind: "register" }, { line: 6 }],
    });
    expect(JSON.stringify(data.result).match(/register/gu)).toHaveLength(1);
  });
});

describe("how an import was resolved", () => {
  const files = {
    "package.json": JSON.stringify({ name: "root", workspaces: ["packages/*"] }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "~/*": ["./src/*"] } } }),
    "packages/core/package.json": JSON.stringify({ name: "@x/core", main: "index.ts" }),
    "packages/core/index.ts": "export const core = 1;\n",
    "src/a.ts": 'import "./b.ts";\nimport "~/c";\nimport "@x/core";\n',
    "src/b.ts": 'import "~/c";\n',
    "src/c.ts": "export {};\n",
  };

  it("the code graph shows how each import was resolved only when imports are requested", async () => {
    const tools = open(files);
    const asked = await tools.call("module", { target: "src/a.ts", include: ["imports"] });
    expect(asked.data.result).toMatchObject({
      imports: [
        { path: "src/b.ts", how: "relative" },
        { path: "src/c.ts", how: "alias" },
        { path: "packages/core/index.ts", how: "workspace" },
      ],
    });
    const plain = await tools.call("module", { target: "src/a.ts" });
    expect(JSON.stringify(plain.data.result)).not.toContain('"how"');
  });

  it("the code graph shows how an import was resolved in the edge details of a path", async () => {
    const args = { from: "src/b.ts", to: "src/c.ts", includeEdgeDetails: true };
    const { data } = await open(files).call("path", args);
    expect(data.result).toMatchObject({
      paths: [{ edges: [{ kind: "import", line: 1, how: "alias" }] }],
    });
  });
});
