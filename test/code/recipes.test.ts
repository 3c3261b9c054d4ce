import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { root } from "../../scripts/run.mjs";
import { openCodeWorld } from "../support/code-world.ts";
import type { CodeWorld } from "../support/code-world.ts";
import { codeBlocks } from "../support/markdown.ts";

const page = readFileSync(join(root, "docs/guides/code.md"), "utf8");

function recipe(heading: string): string {
  const section = page.split(`### ${heading}\n`)[1] ?? "";
  const block = codeBlocks(section).find(({ language }) => language === "js");
  if (block === undefined) throw new Error(`There is no recipe ${heading}`);
  return block.code;
}

let world: CodeWorld;
beforeAll(async () => {
  world = await openCodeWorld();
});
afterAll(() => world.close());

async function run(program: string, options = {}) {
  world.requests();
  const result = await world.runner.run(world.waybill, program, options);
  return { result, requests: world.requests() };
}

describe("recipes of docs/guides/code.md", () => {
  it("docs/guides/code.md shows six recipes", () => {
    expect(codeBlocks(page).filter(({ language }) => language === "js")).toHaveLength(6);
  });

  it("the program of docs/guides/code.md labels all issues about a subject in fewer than 10 requests", async () => {
    await run(
      'await label.create("octo/atlas", { label: "bug", color: "ff0000" }).catch(() => {})',
    );
    const { result, requests } = await run(recipe("Label all issues about a subject"));
    expect(result).toMatchObject({ ok: true, data: { value: 40 } });
    expect(world.github.applied()["addLabels"]).toBe(40);
    expect(requests).toBeLessThan(10);
  });

  it("the program of docs/guides/code.md writes release notes", async () => {
    const { result } = await run(recipe("Write release notes"));
    expect(result).toMatchObject({
      ok: true,
      data: { value: { lines: expect.any(Number) as number } },
    });
    const atlas = world.github.store.repositories.find(({ name }) => name === "atlas");
    const made = [...(atlas?.releases.values() ?? [])].find(({ tagName }) => tagName === "v9.0.0");
    expect(made?.body).toContain("- Survey the lighthouse, sheet 1");
  });

  it("the program of docs/guides/code.md lists the failed checks of pull requests", async () => {
    const { result } = await run(recipe("List the failed steps of pull requests"));
    expect(result).toMatchObject({
      ok: true,
      data: { value: [{ number: expect.any(Number) as number }] },
    });
  });

  it("the program of docs/guides/code.md finds issues that no comment mentions", async () => {
    const { result } = await run(recipe("Find issues that no comment mentions"));
    // The recipe comments on 120 of the 240 issues, and one issue had a comment before.
    expect(result).toMatchObject({ ok: true, data: { value: 121 } });
  });

  it("the program of docs/guides/code.md deletes stale branches with one approval", async () => {
    const many = Array.from({ length: 12 }, (_, n) => `old/${n}`);
    const made = await run(
      `await Promise.all(${JSON.stringify(many)}.map((branch) => globalThis.branch.create("octo/atlas", { branch })))`,
    );
    expect(made.result.error).toBeNull();
    const program = recipe("Delete stale branches with one approval");
    const asked = await run(program);
    expect(asked.result.error).toMatchObject({
      code: "POLICY",
      message: "12 × branch.delete need an approval. Nothing was applied.",
    });
    const approve = asked.result.error?.details?.["approve"];
    const { result } = await run(program, { approve });
    expect(result).toMatchObject({ ok: true, data: { value: 12 } });
    const left = await run('return (await branch.list("octo/atlas")).map((b) => b.name)');
    expect(JSON.stringify(left.result.data)).not.toContain("old/");
  });

  it("the program of docs/guides/code.md compares repositories in a table", async () => {
    const { result } = await run(recipe("Compare repositories in a table"));
    expect(result).toMatchObject({
      ok: true,
      data: { value: [{ name: "octo/hello" }, { name: "octo/atlas" }] },
    });
  });
});

describe("parallel calls of a program", () => {
  it("100 parallel reads of a program send at most 3 requests", async () => {
    const program = `const all = await Promise.all(Array.from({ length: 100 }, (_, n) => issue.view(\`octo/atlas#\${n + 2}\`)));
      return all.length`;
    const { result, requests } = await run(program);
    expect(result).toMatchObject({ ok: true, data: { value: 100 } });
    expect(requests).toBeLessThanOrEqual(3);
  });

  it("100 calls of a program under a secondary rate limit send one request", async () => {
    const limited = await openCodeWorld();
    onTestFinished(() => limited.close());
    limited.github.faults.inject({
      kind: "rate-limit",
      limit: "secondary",
      retryAfter: 3_600,
      times: 1_000,
    });
    const program = `const codes = new Set();
      for (let n = 1; n <= 50; n++) codes.add((await issue.view.result("octo/atlas#" + n)).error.code);
      for (const r of await Promise.all(Array.from({ length: 50 }, (_, n) => issue.view.result("octo/atlas#" + (n + 60)))))
        codes.add(r.error.code);
      return [...codes]`;
    const result = await limited.runner.run(limited.waybill, program);
    expect(result.data).toEqual({ value: ["RATE_LIMIT"] });
    expect(limited.requests()).toBe(1);
  });

  it("a program reads a list of 241 items in 3 pages", async () => {
    const { result, requests } = await run(
      'return (await issue.list("octo/atlas", { state: "all" })).length',
    );
    expect(result).toMatchObject({ ok: true, data: { value: 241 } });
    expect(requests).toBe(3);
  });

  it("a program reads a list page by page with the method page of the list", async () => {
    const program = `let cursor, count = 0, pages = 0;
      do {
        const page = await issue.list.page("octo/atlas", { limit: 50, ...(cursor && { cursor }) });
        count += page.items.length; pages += 1; cursor = page.cursor;
      } while (cursor);
      return [count, pages]`;
    const { result } = await run(program);
    expect(result).toMatchObject({ ok: true, data: { value: [241, 5] } });
  });

  it("parallel writes of a program are applied in their order", async () => {
    const program = `await Promise.all([1, 2, 3].map((n) => issue.comments.create("octo/atlas#2", { body: "note " + n })));
      return (await issue.comments.list("octo/atlas#2")).map((c) => c.body)`;
    const { result } = await run(program);
    expect(result).toMatchObject({ ok: true, data: { value: ["note 1", "note 2", "note 3"] } });
  });
});
