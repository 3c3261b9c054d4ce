import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "@waybill/core/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { TREES } from "../fixtures/trees.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

function open(files: Readonly<Record<string, string>>): GraphTools & { root: string } {
  const root = temporaryTree(files);
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { ...tools, root };
}

type Asked = readonly [tool: string, args: Record<string, unknown>, list: string];

/** Every list with pages, by its path in the answer. */
const LISTS: readonly Asked[] = [
  ["digest", {}, "hotspots"],
  ["issues", {}, "issues"],
  ["issues", { groupBy: "file" }, "groups"],
  ["issues", { groupBy: "kind" }, "groups"],
  ["cycles", {}, "cycles"],
  ["tree", { includeFiles: true, depth: 8 }, "tree.children"],
  ["search", { query: "e" }, "results"],
  ["symbols", { target: "e", mode: "workspace" }, "symbols"],
  ["layers", { action: "check" }, "violations"],
  ["layers", { action: "check", groupByRule: true }, "groups"],
  ["layers", { action: "list" }, "rules"],
  ["layers", { action: "suggest" }, "suggestions"],
];

function listsOfFile(path: string, last: string): Asked[] {
  return [
    ["impact", { target: path }, "directDependents"],
    ["path", { from: path, to: last, includeEdgeDetails: true }, "paths"],
    ["symbols", { target: path }, "symbols"],
    ...["imports", "importedBy", "exports", "reexports", "entrypoints", "symbols"].map(
      (part): Asked => ["module", { target: path, include: [part] }, part],
    ),
  ];
}

function listsOfSymbol(symbol: string): Asked[] {
  return [
    ["references", { symbol }, "references"],
    ["references", { symbol, groupByFile: true }, "groups"],
    ["definition", { symbol }, "definitions"],
    ["call_hierarchy", { symbol, direction: "incoming" }, "callers"],
    ["call_hierarchy", { symbol, direction: "outgoing" }, "callees"],
  ];
}

/** How many items a list has, or the lists of groups together. */
function countIn(result: unknown, list: string): number {
  const found = list
    .split(".")
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key), result);
  if (Array.isArray(found)) return found.length;
  return Object.values(Object(found) as object).reduce<number>(
    (sum, group) => sum + (Array.isArray(group) ? group.length : 0),
    0,
  );
}

const MAX_PAGES = 600;

/** Reads page after page, with as many tokens as each page says it needs. */
async function readThrough(tools: GraphTools, [tool, args, list]: Asked, budget: number) {
  const cursors = new Set<string>();
  let [seen, maxTokens, cursor] = [0, budget, ""];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const where = `${tool} ${JSON.stringify(args)} at ${cursor} in ${maxTokens}`;
    const asked = { ...args, maxTokens, ...(cursor !== "" && { cursor }) };
    const envelope = await tools.call(tool, asked);
    expect(envelope.success, `in ${where}`).toBe(true);
    expect(estimateTokens(JSON.stringify(envelope)), `in ${where}`).toBeLessThanOrEqual(maxTokens);
    const { result, meta } = envelope.data;
    const count = countIn(result, list);
    seen += count;
    if (meta.page?.hasMore !== true) return { seen, total: meta.page?.total };
    const needed = /maxTokens=(\d+)/u.exec(String(Reflect.get(Object(result), "hint")))?.[1];
    if (count === 0) {
      expect(maxTokens, `in ${where}`).toBe(budget);
      expect(meta.page, `in ${where}`).not.toHaveProperty("cursor");
      maxTokens = Number(needed);
      continue;
    }
    cursor = meta.page.cursor ?? "";
    expect(cursors, `in ${where}`).not.toContain(cursor);
    cursors.add(cursor);
    maxTokens = budget;
  }
  throw new Error(`${tool} has no end`);
}

async function expectAllToEnd(tools: GraphTools, lists: readonly Asked[], budget: number) {
  for (const asked of lists) {
    const { seen, total } = await readThrough(tools, asked, budget);
    expect([asked, seen]).toEqual([asked, total]);
  }
}

describe.each(Object.entries(TREES))("pages of %s", (_name, files) => {
  const paths = Object.keys(files).filter((each) => each.endsWith(".ts"));

  it("every list of the code graph can be read to its end in pages of 200 tokens", async () => {
    const tools = open(files);
    const lists = paths.flatMap((path) => listsOfFile(path, paths.at(-1)!));
    await expectAllToEnd(tools, [...LISTS, ...lists], 200);
  });
});

function name(at: number): string {
  return `a_rather_long_name_of_a_file_${at}`;
}

describe("items larger than a page", () => {
  const ring = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `src/${name(at)}.ts`,
      `import { f${(at + 1) % 30} } from "./${name((at + 1) % 30)}.ts";\nexport const f${at} = () => f${(at + 1) % 30}();\n`,
    ]),
  );
  const files = {
    ...ring,
    "src/all.ts": "export function used() {}\n".concat(
      ...Array.from({ length: 30 }, (_, at) => `export { f${at} } from "./${name(at)}.ts";\n`),
    ),
    "src/caller.ts": `import { used } from "./all.ts";\nexport function calls() {\n${"  used();\n".repeat(60)}}\n`,
    [`src/${"deep/".repeat(60)}end.ts`]: `export class End { ${"x".repeat(900)}() {} }\n`,
    "src/rare.ts": `import { End } from "./${"deep/".repeat(60)}end.ts";\nnew End();\n`,
    ".waybill/graph/layers.json": JSON.stringify({
      forbidden: [
        {
          name: "far",
          comment: "why ".repeat(200),
          from: { path: [`src/${name(0)}.ts`, ...Array.from({ length: 50 }, () => "src")] },
          to: { path: `src/${name(20)}.ts`, reachable: true },
        },
      ],
    }),
  };
  const paths = [`src/${name(0)}.ts`, "src/all.ts", "src/caller.ts", "src/rare.ts"];

  it.each([200, 400])(
    "a list item larger than %d tokens is shortened, or the answer says how many tokens the item needs",
    async (budget) => {
      const tools = open(files);
      git(tools.root, "init", "-q");
      git(tools.root, "add", ".");
      git(tools.root, "commit", "-q", "-m", "first");
      for (const path of paths) appendFileSync(join(tools.root, path), "export const more = 1;\n");
      await tools.call("annotations", {
        action: "addEdge",
        from: "src/**",
        to: "src/all.ts",
        reason: "because ".repeat(60),
      });
      const lists = [
        ...LISTS,
        ["annotations", { action: "list" }, "edges"] as const,
        ["changes", { since: "HEAD" }, "changed"] as const,
        ...paths.flatMap((path) => listsOfFile(path, `src/${name(20)}.ts`)),
        ...["used", "calls", "End", `End.${"x".repeat(900)}`].flatMap(listsOfSymbol),
      ];
      await expectAllToEnd(tools, lists, budget);
    },
  );

  it("a shortened list item is marked and shows its full length", async () => {
    const { data } = await open(files).call("cycles", { maxTokens: 370 });
    expect(data.meta.truncated).toBe(true);
    expect(data.result).toMatchObject({
      cycles: [{ length: 30, nodesTotal: 30, shortened: true, breakPoints: [{}, {}] }],
    });
  });
});
