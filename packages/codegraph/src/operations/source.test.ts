import type { Source } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, it } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { graphSource } from "./index.ts";

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

describe("the code graph as a source", () => {
  for (const { name, run } of sourceContract(make, example)) {
    it(name, () => run());
  }
});
