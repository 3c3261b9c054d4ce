import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { fitTokens } from "./index.ts";
import { loadTokenList } from "./token-tree.ts";

await loadTokenList();

function fixture(name: string): string {
  return readFileSync(
    new URL(`../../../../test/fixtures/tokens/${name}.txt`, import.meta.url),
    "utf8",
  );
}

const prose = fixture("prose-english");
const log = fixture("log-ci");
const rows = fixture("json-rows")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as object);

function deep(levels: number): unknown {
  if (levels === 0) return prose;
  return { note: prose.slice(0, 300), child: deep(levels - 1), list: rows.slice(0, 3) };
}

function times<T>(count: number, list: readonly T[]): T[] {
  return Array.from({ length: count }, () => list).flat();
}

const SAMPLES: Record<string, unknown> = {
  "a long list": { items: times(50, rows), total: 1_500 },
  "a long list of large items": times(10, [{ title: "One", body: prose.repeat(8) }]),
  "a deep object": deep(40),
  "one huge text": prose.repeat(200),
  "one huge line": prose.replaceAll("\n", " ").repeat(200),
  "Chinese text": fixture("cjk-chinese").repeat(60),
  mathematics: fixture("math-formulas").repeat(60),
  "rows of signs": fixture("signs-rules").repeat(60),
  "many medium texts": Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field${index}`, prose.slice(index, 900 + index)]),
  ),
  "a wide object": Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]),
  ),
  "many numbers": Array.from({ length: 20_000 }, (_, index) => index * 7.3),
  "many words": times(6_000, ["word", "another"]),
  "nested lists": Array.from({ length: 9_000 }, (_, index) => [index, [index, [{ a: index }]]]),
  "a mixture": { id: 7, body: prose.repeat(20), items: times(30, rows), log: log.repeat(20) },
};

describe.each(Object.entries(SAMPLES))("fitTokens on %s", (_name, data) => {
  it.each([200, 1_000, 4_000, 10_000])(
    "fitTokens cuts data to at most %i tokens and at least 70% of them",
    (budget) => {
      const { data: part, truncated, cuts } = fitTokens(data, budget);
      const tokens = encode(JSON.stringify(part)).length;
      expect(truncated).toBe(true);
      expect(cuts.length).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(tokens).toBeGreaterThanOrEqual(budget * 0.7);
    },
  );
});

describe("places where fitTokens cuts", () => {
  it("fitTokens lists the shown and the total size of each cut value, outer paths first", () => {
    const { data, cuts } = fitTokens(SAMPLES["a mixture"], 1_000);
    const { body, items, log: tail } = data as { body: string; items: unknown[]; log: string };
    const text = { kind: "text" };
    expect(cuts).toEqual([
      { path: "body", ...text, shown: body.length, total: prose.length * 20, kept: "start" },
      { path: "items", kind: "items", shown: items.length, total: 900, kept: "start" },
      ...cuts.filter(({ path }) => path.startsWith("items.")),
      { path: "log", ...text, shown: tail.length, total: log.length * 20, kept: "end" },
    ]);
  });

  it("fitTokens keeps the beginning of a cut text, and the last whole lines of a cut log", () => {
    const { data } = fitTokens({ body: prose.repeat(9), build_log: log.repeat(9) }, 2_000);
    const { body, build_log: tail } = data as { body: string; build_log: string };
    expect(prose.repeat(9).startsWith(body)).toBe(true);
    expect(log.repeat(9).endsWith(`\n${tail}`)).toBe(true);
    expect(tail).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it("fitTokens keeps the end of values whose paths are in the option tail, even inside lists", () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    const data = { jobs: [{ lines, text: prose.repeat(9) }] };
    const fitted = fitTokens(data, 400, { tail: ["jobs.*.lines", "jobs.text"] });
    const [job] = (fitted.data as typeof data).jobs;
    expect(job!.lines.at(-1)).toBe("line 499");
    expect(prose.repeat(9).endsWith(job!.text)).toBe(true);
    expect(fitted.cuts.map(({ path, kept }) => [path, kept])).toEqual([
      ["jobs.0.lines", "end"],
      ["jobs.0.text", "end"],
    ]);
  });

  it("fitTokens does not cut an object named output like a log", () => {
    const data = { output: { title: "Tests", summary: prose.repeat(9) } };
    const { data: part } = fitTokens(data, 300);
    expect((part as typeof data).output.summary.startsWith("The harbour")).toBe(true);
  });

  it("fitTokens never splits a character, whether it keeps the beginning or the end of a text", () => {
    const waves = "👋".repeat(500);
    for (let budget = 30; budget < 90; budget++) {
      const { data } = fitTokens({ text: waves, log: waves }, budget);
      expect(JSON.stringify(data)).not.toMatch(/\\ud/);
    }
  });

  it("fitTokens keeps a member named __proto__ of a cut object", () => {
    const data: unknown = JSON.parse(`{"__proto__":{"a":1},"b":"${"long ".repeat(500)}"}`);
    expect(JSON.stringify(fitTokens(data, 100).data)).toMatch(/^{"__proto__":{"a":1},"b":"long /);
  });
});
