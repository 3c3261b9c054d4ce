import { createWaybill } from "@waybill/core";
import type { Source } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { GraphWorkspace, graphSource, openGraphTools } from "./index.ts";

const example = {
  id: "graph.tree",
  input: {},
  data: {
    tree: {
      name: ".",
      path: "",
      type: "directory",
      stats: { files: 1, folders: 0, lines: 2 },
      children: [],
    },
  },
  badInput: { depth: 99 },
};

const make = (): Source =>
  graphSource({ root: temporaryTree({ "a.ts": "export const a = 1;\n" }) });

describe("code graph as a source", () => {
  for (const { name, run } of sourceContract(make, example)) {
    it(name, () => run());
  }
});

it("the code graph source uses a workspace that is passed to it and does not close the workspace", async () => {
  const workspace = new GraphWorkspace({ root: temporaryTree({ "a.ts": "export {};\n" }) });
  onTestFinished(() => workspace.close());
  const waybill = createWaybill({ sources: [graphSource(workspace)] });
  expect(await waybill.execute("graph.tree", {})).toMatchObject({ ok: true });
  const { graph } = await workspace.view("none");
  const tools = openGraphTools(workspace);
  expect(await tools.call("tree")).toMatchObject({ success: true, data: { tool: "graph_tree" } });
  await tools.close();
  await waybill.close();
  expect((await workspace.view("none")).graph).toBe(graph);
});
