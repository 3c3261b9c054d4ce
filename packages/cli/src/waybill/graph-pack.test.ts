import { existsSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { makeCode } from "../fixtures/code.ts";
import { jsonOf } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const IN_CODE = ["--root", "../code"];

function annotationsIn({ folder }: World): string {
  return join(folder, "code/.waybill/graph/annotations.json");
}

describe("the graph pack of the command", () => {
  it("graph capabilities return the answers of waybill graph, for the current folder or another folder", async () => {
    const world = await makeCode();
    const here = await world.run(["run", "graph.digest"], { cwd: join(world.folder, "code") });
    expect(jsonOf(here)).toMatchObject({
      ok: true,
      data: { summary: { files: 2, edges: 1 } },
      meta: { capability_id: "graph.digest", route_used: "local" },
    });
    const there = await world.run(["run", "graph.module", "target=lib/a.ts", ...IN_CODE]);
    const tool = await world.run(["graph", "module", "target=lib/a.ts", ...IN_CODE]);
    const { data } = JSON.parse(tool.stdout) as { data: { result: unknown } };
    expect(jsonOf(there).data).toEqual(data.result);
    expect(data.result).toMatchObject({ importedBy: expect.anything() as unknown });
  });

  it("the code base is not read before the first question about code", async () => {
    const world = await makeCode();
    const cwd = join(world.folder, "code");
    for (const words of [
      ["capabilities", "list"],
      ["capabilities", "search", "imports"],
      ["capabilities", "explain", "graph.path"],
      ["run", "graph.path", "from=index.ts"],
      ["run", "graph.digest", "--dry-run"],
    ]) {
      await world.run(words, { cwd });
      expect([words, existsSync(join(cwd, ".waybill"))]).toEqual([words, false]);
    }
    await world.run(["run", "graph.digest"], { cwd });
    expect(existsSync(join(cwd, ".waybill"))).toBe(true);
  });

  it("graph capabilities are listed, found and explained in few tokens", async () => {
    const world = await makeCode();
    await world.writeConfig({});
    const { stdout: list } = await world.run(["capabilities", "list", "--brief"]);
    const lines = list.trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith("graph."))).toHaveLength(22);
    expect(encode(list).length / lines.length).toBeLessThanOrEqual(13);
    const domain = await world.run(["capabilities", "list", "--domain", "graph", "--brief"]);
    expect(domain.stdout.trimEnd().split("\n")).toHaveLength(22);
    const other = await world.run(["capabilities", "list", "--domain", "issue"]);
    expect(other.stdout).not.toContain("graph.");
    const found = await world.run(["capabilities", "search", "who", "calls", "a", "function"]);
    expect(found.stdout).toContain("graph.call_hierarchy");
    const explained = await world.run(["capabilities", "explain", "graph.annotations"]);
    expect(jsonOf(explained)).toMatchObject({ effect: "write" });
  });

  it("waybill run graph.digest takes lists in the forms that waybill graph takes", async () => {
    const world = await makeCode();
    const words = ["include=summary", "include=issues"];
    const ended = await world.run(["run", "graph.digest", ...words, ...IN_CODE]);
    const { data } = jsonOf(ended);
    expect([Object.hasOwn(data, "issues"), Object.hasOwn(data, "hotspots")]).toEqual([true, false]);
  });

  it("results of the code graph are read page by page like any list", async () => {
    const world = await makeCode();
    const words = ["query=a", "type=symbol", "limit=1", "--pages", "9", "--select", "results.name"];
    await world.write("code/lib/aa.ts", "export const aa = 1;\n");
    const { stdout } = await world.run(["run", "graph.search", ...words, ...IN_CODE]);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => jsonOf({ stdout: line }));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(2);
  });

  it("graph capabilities can be used in chains", async () => {
    const world = await makeCode();
    const found = { id: "found", task: "graph.search", input: { query: "a.ts", type: "file" } };
    const target = { $from: "found.data.results[0].path" };
    const steps = JSON.stringify([found, { task: "graph.impact", input: { target } }]);
    const ended = await world.run(["chain", "--steps", steps, ...IN_CODE]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: "success",
      results: [{ ok: true }, { ok: true, data: { directDependents: ["index.ts"] } }],
    });
  });

  it("graph.annotations writes only if the policy allows writes", async () => {
    const world = await makeCode();
    const add = ["run", "graph.annotations", "action=addIgnore", "path=lib", ...IN_CODE];
    await world.run([...add, "--dry-run"]);
    await world.writeUserConfig({ policy: { read_only: true } });
    expect(jsonOf(await world.run(add)).error.code).toBe("POLICY");
    expect(existsSync(annotationsIn(world))).toBe(false);
    await world.writeUserConfig({});
    expect(jsonOf(await world.run(add))).toMatchObject({ ok: true, data: { id: "ignore-1" } });
    expect(existsSync(annotationsIn(world))).toBe(true);
  });

  it("a source named graph does not replace the built-in graph capabilities, which can be switched off", async () => {
    const world = await makeCode();
    await world.writeConfig({ sources: { graph: world.source() } });
    const kept = await world.run(["run", "graph.digest", ...IN_CODE]);
    expect(jsonOf(kept).ok).toBe(true);
    expect(kept.stderr).toContain("the source graph is left out");
    await world.writeConfig({ packs: ["github"] });
    expect(jsonOf(await world.run(["run", "graph.digest"])).error.code).toBe("NOT_FOUND");
    expect((await world.run(["capabilities", "list"])).stdout).not.toContain("graph.");
  });

  it.each([
    [["run", "graph.digest", "--root", "nowhere"], "nowhere is not a folder"],
    [["run", "item.view", "id=3", "--root", "."], "--root works only for capabilities"],
    [
      ["chain", "--steps", '[{"task":"item.view"}]', "--root", "."],
      "--root works only for capabilities",
    ],
    [
      ["run", "graph.digest", "--root", ".", "--via", "nats://127.0.0.1:9/x"],
      "--root cannot be used with --via",
    ],
    [["serve", "nats", "--root", "nowhere"], "nowhere is not a folder"],
  ])("the command line %j of a graph capability is refused", async (words, sentence) => {
    const world = await makeCode();
    const { code, stdout } = await world.run(words);
    expect([code, stdout]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
