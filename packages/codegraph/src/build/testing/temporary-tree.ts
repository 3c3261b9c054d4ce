import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { CodeGraph, Column, Columns } from "../../graph/index.ts";

/** A folder with these files, which is deleted after the test. */
export function temporaryTree(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "waybill-graph-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(root, files);
  return root;
}

export function writeTree(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Runs git without any user configuration. */
export function git(root: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...identity, ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
}

/** Sorted lines such as `a.ts -import-> b.ts`, to compare edges in tests. */
export function graphEdges(graph: CodeGraph): string[] {
  const { imports, files } = graph;
  return Array.from({ length: imports.count }, (_, edge) => {
    const kind = imports.kind(edge) + (imports.typeOnly(edge) ? " type" : "");
    return `${files.path(imports.from(edge))} -${kind}-> ${files.path(imports.to(edge))}`;
  }).toSorted();
}

/** Columns that contain string numbers. */
const TEXTS = new Set(["path", "name", "text", "detail"]);

/** The content of a graph without its time, so that equal graphs compare as equal. */
export function graphContent({ info, tables, strings }: CodeGraph): unknown {
  const { indexedAt: _, ...rest } = info;
  const content: Record<string, unknown> = {};
  for (const [table, columns] of Object.entries<Columns>({ ...tables })) {
    for (const [name, column] of Object.entries<Column>(columns)) {
      const values = Array.from<number>(column);
      const readable = TEXTS.has(name) ? values.map((id) => strings.get(id)) : values;
      content[`${table}.${name}`] = readable;
    }
  }
  return { info: rest, content };
}
