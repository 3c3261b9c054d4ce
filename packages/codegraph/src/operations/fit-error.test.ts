import { createWaybill } from "@waybill/core";
import { estimateTokens } from "@waybill/core/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { graphSource, openGraphTools } from "./index.ts";

const LONG = "a_folder_with_a_rather_long_name/and_another_one_inside_it";
const FILES = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`${LONG}/number${at}.ts`, "export const same = 1;\n"]),
);

/** Errors that are too long, each in a different part. */
const ASKED: readonly [tool: string, args: Record<string, unknown>, code: string][] = [
  ["impact", { target: "same" }, "AMBIGUOUS"],
  ["impact", { target: `${LONG}/numbr1.ts` }, "NOT_FOUND"],
  ["module", { target: `nosuch/${"é".repeat(300)}` }, "NOT_FOUND"],
  ["digest", { scope: `${LONG}/numbr` }, "NOT_FOUND"],
  ["issues", { kinds: "x", severitys: "y", kind: "NO_SUCH_KIND" }, "INVALID_INPUT"],
  ["annotations", { action: "remove", id: "é".repeat(100) }, "NOT_FOUND"],
];

describe.each([200, 240, 300])("error with a limit of %d tokens", (maxTokens) => {
  it.each(ASKED)(
    "the error of the code graph question %s %j fits into the token limit and keeps its code",
    async (tool, args, code) => {
      const tools = openGraphTools({ root: temporaryTree(FILES), patienceMs: 60_000 });
      onTestFinished(() => tools.close());
      const envelope = await tools.call(tool, { ...args, maxTokens });
      expect(estimateTokens(JSON.stringify(envelope))).toBeLessThanOrEqual(maxTokens);
      expect(envelope.data.result).toMatchObject({ error: { code } });
    },
  );

  it("the error of a code graph capability call fits into the token limit", async () => {
    const waybill = createWaybill({ sources: [graphSource({ root: temporaryTree(FILES) })] });
    onTestFinished(() => waybill.close());
    const result = await waybill.execute("graph.impact", { target: "same", maxTokens });
    expect(estimateTokens(JSON.stringify(result))).toBeLessThanOrEqual(maxTokens);
    expect(result).toMatchObject({ ok: false, error: { code: "VALIDATION" } });
  });
});

it("the error of a code graph question is complete without a token limit", async () => {
  const tools = openGraphTools({ root: temporaryTree(FILES), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const { data } = await tools.call("impact", { target: "same" });
  expect(data.result).toMatchObject({
    error: { details: { candidates: { length: 8 }, hint: "Pass one of the candidates" } },
  });
});
