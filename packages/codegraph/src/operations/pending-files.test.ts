import { expect, it, onTestFinished } from "vitest";
import { temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./tools.ts";

const COUNT = 400;

function filesWith(text: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`src/f${at}.ts`, text]));
}

interface Impact {
  readonly directDependentsTotal: number;
  readonly completeness: string;
  readonly why?: readonly string[];
  readonly riskAssessment: { readonly level: string };
  readonly index?: { readonly pendingFiles: number };
}

it("the impact is reported as incomplete (a lower bound) while changed files are still to be read", async () => {
  const root = temporaryTree({ "a.ts": "export {};\n", ...filesWith("export {};\n") });
  const tools = openGraphTools({ root, patienceMs: 1 });
  onTestFinished(() => tools.close());
  const ask = async (): Promise<Impact> =>
    (await tools.call("impact", { target: "a.ts" })).data.result as Impact;
  while ((await ask()).index !== undefined);
  expect(await ask()).toMatchObject({ completeness: "exact", riskAssessment: { level: "low" } });
  writeTree(root, filesWith('import "../a.ts";\n'));
  const answers: Impact[] = [];
  do answers.push(await ask());
  while (answers.at(-1)!.directDependentsTotal < COUNT || answers.at(-1)!.index !== undefined);
  const early = answers.filter(({ index }) => (index?.pendingFiles ?? 0) > 0);
  expect(early.length).toBeGreaterThan(0);
  for (const { completeness, why, riskAssessment } of early) {
    expect([completeness, why]).toEqual([
      "lower-bound",
      [expect.stringMatching(/^\d+ changed files? not read yet$/u)],
    ]);
    expect(riskAssessment.level).not.toBe("low");
  }
  expect(answers.at(-1)).toMatchObject({ completeness: "exact" });
});
