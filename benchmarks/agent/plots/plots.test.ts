import { describe, expect, it } from "vitest";
import { play, sampleRun } from "../figures/fixtures/sample.ts";
import { MODE_NAMES } from "../figures/index.ts";
import type { Played } from "../types.ts";
import { plots } from "./index.ts";

const HOSTILE = `a"b'<script>&amp;\u0007\ud800`;

/** The names of elements that are not closed, or closed in the wrong order; empty for valid XML. */
function unbalanced(svg: string): string[] {
  const open: string[] = [];
  for (const [, close, name = "", , self] of svg.matchAll(
    /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/gi,
  )) {
    if (self === "/") continue;
    if (close === "") open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

function textsIn(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
}

function getNumbers(svg: string, attribute: string): number[] {
  return [...svg.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, text]) =>
    Number(text),
  );
}

const run = sampleRun(8);
const drawn = Object.entries(plots(run));

describe.each(drawn)("plot %s", (name, svg) => {
  it("the plot of plays is one well-formed SVG with styles for light and dark", () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="800"/);
    expect(unbalanced(svg)).toEqual([]);
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
    expect(svg).not.toMatch(/(fill|stroke)="/);
  });

  it("the plot of plays has equal bytes for any order of plays", () => {
    expect(plots(run.toReversed())[name]).toBe(svg);
  });

  it("the plot of plays draws everything inside the picture", () => {
    const [height = 0] = getNumbers(svg, "height");
    const across = ["x", "cx", "x1", "x2"].flatMap((attribute) => getNumbers(svg, attribute));
    const down = ["y", "cy", "y1", "y2"].flatMap((attribute) => getNumbers(svg, attribute));
    expect(Math.min(...across)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...across)).toBeLessThanOrEqual(800);
    expect(Math.min(...down)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...down)).toBeLessThanOrEqual(height);
  });

  it("the plot of plays names every mode", () => {
    const texts = textsIn(svg).join("\n");
    const scripted = Object.values(MODE_NAMES).map((title) => title.replace("'", "&#39;"));
    for (const title of scripted) expect(texts).toContain(title);
  });

  it("a plot can be drawn of no play and of one play", () => {
    for (const few of [[], [play()]]) {
      const small = plots(few)[name] ?? "";
      expect(small).toContain("<svg");
      expect(unbalanced(small)).toEqual([]);
      expect(small).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

function picture(name: string, played: readonly Played[]): string {
  return plots(played)[`benchmark-${name}.svg`] ?? "";
}

describe("content of plots", () => {
  it("the plot of plays escapes markup and replaces characters that XML does not allow", () => {
    const svg = picture("tokens", [play({ scenario: HOSTILE })]);
    expect(textsIn(svg)).toContain("a&quot;b&#39;&lt;script&gt;&amp;amp;\ufffd\ufffd");
    expect(unbalanced(svg)).toEqual([]);
  });

  it("the plot of plays shows every scenario once and shortens long names", () => {
    const texts = textsIn(picture("tokens", [...run, play({ scenario: "long".repeat(30) })]));
    expect(texts.filter((text) => text.includes("-scenario-"))).toHaveLength(48);
    expect(texts.find((text) => text.startsWith("longlong"))).toHaveLength(34);
  });

  it("the plot of plays places tokens on a logarithmic scale", () => {
    const plays = [10, 100, 1_000].map((total, index) => play({ total, scenario: `s${index}` }));
    const [a = 0, b = 0, c = 0] = getNumbers(picture("tokens", plays), "cx").slice(-3);
    expect(b - a).toBeCloseTo(c - b, 5);
    expect(b).toBeGreaterThan(a);
  });

  it("the plot of plays shows the tokens of other modes as a multiple of Waybill's best mode", () => {
    const svg = picture("summary", [
      play({ total: 100 }),
      play({ mode: "mcp-indexed", total: 150 }),
      play({ mode: "gh-help", total: 1_250 }),
      play({ mode: "gh-help", scenario: "only-theirs", total: 750 }),
    ]);
    expect(textsIn(svg)).toEqual(expect.arrayContaining(["100", "150 · 1.5×", "1,000 · 12.5×"]));
  });

  it("the plot of calls counts scenarios by calls, with the median and the 95th percentile", () => {
    const calls = [1, 1, 1, 2, 12];
    const svg = picture(
      "calls",
      calls.map((each, index) => play({ calls: each, scenario: `s${index}` })),
    );
    expect(textsIn(svg).slice(-4)).toEqual(["3", "1", "1", "1 · 12"]);
  });

  it("the plot of extra costs shows a negative cost if a play with a fault or wrong guess is cheaper than the plain play", () => {
    const svg = picture("recovery", [
      play({ total: 100 }),
      play({ variant: "guess", total: 60, calls: 2, passed: false }),
      play({ variant: "fault", total: 160, calls: 1 }),
    ]);
    expect(textsIn(svg)).toEqual(
      expect.arrayContaining(["−40 · +1 call · 0 of 1", "+60 · +0 calls · 1 of 1"]),
    );
  });
});
