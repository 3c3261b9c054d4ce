import { expect, it } from "vitest";
import type { CodeGraph } from "../graph/index.ts";
import { openCodeGraph } from "./index.ts";
import { temporaryTree } from "./testing/temporary-tree.ts";

async function complete(files: Record<string, string>): Promise<CodeGraph> {
  const session = await openCodeGraph({ root: temporaryTree(files), cache: false });
  await session.ready;
  return session.graph;
}

function enteredAt({ entrypoints, files }: CodeGraph): string[] {
  return Array.from({ length: entrypoints.count }, (_, row) => {
    const place = files.path(entrypoints.file(row));
    return `${entrypoints.kind(row)} ${entrypoints.text(row)} ${place}`;
  });
}

function callsIn({ uses, symbols }: CodeGraph): string[] {
  return Array.from({ length: uses.count }, (_, use) => use)
    .filter((use) => uses.kind(use) === "call")
    .map((use) => `${symbols.name(uses.from(use))} → ${symbols.name(uses.to(use))}`);
}

it("the code graph finds the source files that package.json names as entrypoints, even when package.json names built files", async () => {
  const graph = await complete({
    "package.json": JSON.stringify({
      name: "tool",
      bin: { tool: "./dist/cli.js" },
      exports: { ".": "./dist/index.js" },
    }),
    "src/cli.ts": "export {}",
    "src/index.ts": "export const a = 1",
    "src/other.ts": "export const b = 1",
  });
  const entered = enteredAt(graph);
  expect(entered.filter((one) => one.endsWith("src/cli.ts"))).toHaveLength(1);
  expect(entered.filter((one) => one.endsWith("src/index.ts"))).toHaveLength(1);
  expect(entered.filter((one) => one.endsWith("src/other.ts"))).toEqual([]);
});

it("the code graph finds symbols, calls and routes in Python code", async () => {
  const graph = await complete({
    "app/main.py":
      'from fastapi import FastAPI\nfrom .store import load\napp = FastAPI()\n@app.get("/items")\ndef items():\n    return load()\n',
    "app/store.py": "def load():\n    return read()\n\ndef read():\n    return []\n",
    "app/__init__.py": "",
  });
  expect(graph.info.phase).toBe("symbols");
  expect(enteredAt(graph)).toContain("route GET /items app/main.py");
  expect(callsIn(graph)).toEqual(expect.arrayContaining(["items → load", "load → read"]));
});

it("the code graph finds symbols, calls and routes in Go code", async () => {
  const graph = await complete({
    "go.mod": "module example.com/app\n",
    "main.go":
      'package main\n\nimport "net/http"\n\nfunc list(w http.ResponseWriter, r *http.Request) { help() }\n\nfunc help() {}\n\nfunc main() { http.HandleFunc("/list", list) }\n',
  });
  expect(enteredAt(graph).some((one) => one.startsWith("route") && one.includes("/list"))).toBe(
    true,
  );
  expect(callsIn(graph)).toContain("list → help");
});

it("the code graph stops resolving a type that is a promise of the type itself", async () => {
  const graph = await complete({
    "a.ts": [
      "type Loop = { close(): void } | Promise<Loop>;",
      "declare function open(): Loop;",
      "export async function run() { (await open()).close(); helper(); }",
      "function helper() {}",
    ].join("\n"),
  });
  expect(graph.info.phase).toBe("symbols");
  expect(callsIn(graph)).toContain("run → helper");
});
