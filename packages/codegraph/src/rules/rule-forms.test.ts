import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCodeGraph } from "../build/index.ts";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import type { CodeGraph } from "../graph/index.ts";
import { checkRules, parseRules } from "./index.ts";

interface RuleForms {
  /** The program that recorded the expected violations, with its version. */
  readonly cruiser: string;
  readonly files: Readonly<Record<string, string>>;
  readonly cases: readonly {
    readonly form: string;
    readonly ours: unknown;
    /** The violations that dependency-cruiser found with its own form of the rule. */
    readonly violations: readonly string[];
  }[];
}

const place = join(import.meta.dirname, "fixtures/rule-forms.json");
const { cruiser, files, cases } = JSON.parse(readFileSync(place, "utf8")) as RuleForms;

let built: Promise<CodeGraph> | undefined;

/** All rules use one graph. Only licence rules need files, which each case creates itself. */
async function build(): Promise<CodeGraph> {
  const opened = await openCodeGraph({ root: temporaryTree(files), cache: false });
  await opened.close();
  return opened.graph;
}

describe(`the rule forms of ${cruiser}`, () => {
  it.each(cases.map((each) => [each.form, each] as const))(
    "graph_layers finds the violations that dependency-cruiser finds for a rule of the form: %s",
    async (_form, { ours, violations }) => {
      const graph = await (built ??= build());
      const rules = await parseRules(ours, "rules", graph.info.exotic);
      const found = checkRules(graph, rules, temporaryTree(files)).map(
        ({ sourceFile, targetFile }) => `${sourceFile} -> ${targetFile}`,
      );
      expect([...new Set(found)].toSorted()).toEqual(violations.toSorted());
    },
  );
});
