import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { assert, oneof, property, string, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isRegularExpression,
  loadPatternEngine,
  Pattern,
  CheckBudgetError,
  renewCheckBudget,
} from "./index.ts";

await loadPatternEngine();

const made = new Map<string, Pattern>();

function matches(source: string, text: string): boolean {
  const pattern = made.get(source) ?? new Pattern(source);
  made.set(source, pattern);
  renewCheckBudget();
  return pattern.test(text);
}

const r = String.raw;
/** Characters that engines treat differently. */
const ODD = [
  "\u00a0",
  "\ufeff",
  "\u1680",
  "\u2028",
  "\r",
  "\n",
  "\v",
  "\f",
  "é",
  "_",
  "😀",
  "\ud800",
  "K",
];

/** Each of these patterns needs the linear engine. */
const MEANINGS = [
  r`^(?:\s+\s?)+$`,
  r`^(?:\S+\S?)+$`,
  r`^(?:[\s]+\s?)+$`,
  r`^(?:[^\s]+\S?)+$`,
  r`^(?:[^\S\n]+\s?)+$`,
  r`^(?:.+.?)+$`,
  r`^(?:\w+\w?)+$`,
  r`^(?:[\W]+\W?)+$`,
  r`^(?:\d+|\D+)+$`,
  r`\bé|_\b|\B\n`,
  r`^(?:[^]+[^]?)+$`,
  r`^(?:[]|a)*(?:[]|a)*$`,
  r`^(?:\u{1F600}+|\ud83d\ude00)+$`,
  r`^(?:\cJ+|\n)+$`,
  r`^(?:\x4b+|\u004b)+$`,
  r`^(?:[a-z-9]+|-)+$`,
  r`^(?:[\b]+|\0)*$`,
  r`^(?:[\f]+|\f)+$`,
  r`^(?:\p{L}+|\p{Lu})+$`,
  r`^(?:\P{L}+|\p{Nd})+$`,
  r`^(?:\p{Script=Greek}+|\p{Letter})+$`,
  r`(?<name>a+)+[[(&]`,
  r`^(?:\/+|\.|[\-\]]+)+$`,
];

describe("patterns of the linear engine", () => {
  it.each(MEANINGS)(
    "the linear-time engine matches the regular expression %s as JavaScript does",
    (source) => {
      const pattern = new Pattern(source);
      expect([pattern.needsEngine, pattern.problem]).toEqual([true, undefined]);
      const native = new RegExp(source, "u");
      const samples = [
        ...ODD,
        "",
        "a",
        "K",
        "0",
        "-",
        "9",
        "]",
        "\b",
        "\0",
        "a\n",
        "αβ",
        "a[",
        "ab",
      ];
      for (const text of [...samples, ...samples.map((one) => `a${one}`)]) {
        expect([text, matches(source, text)]).toEqual([text, native.test(text)]);
      }
    },
  );
});

/** Every pattern in the API descriptions that are installed here. */
function realPatterns(): string[] {
  const folder = dirname(
    createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"),
  );
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "pattern" && typeof member === "string") found.add(member);
      if (key === "patternProperties")
        Object.keys(member as object).forEach((one) => found.add(one));
      walk(member);
    }
  };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".json")) walk(JSON.parse(readFileSync(join(folder, name), "utf8")));
  }
  return [...found];
}

/** Kinds of patterns that API descriptions use but the installed ones lack. */
const USUAL = [
  r`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  r`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$`,
  r`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`,
  r`^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
  r`^\S+(\s+\S+)*$`,
  r`^.{1,2048}$`,
  r`^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}?:.*$`,
  r`^\+[1-9]\d{1,14}$`,
  r`\d+( ?(ms|s)|\s*(B|kB|[MGTPEZY]i?B))`,
  r`^#(?:[0-9a-fA-F]{3}){1,2}$`,
  r`^https?://.*`,
  r`.*\.git$`,
];

describe("patterns of real descriptions", () => {
  it.each([...realPatterns().filter(isRegularExpression), ...USUAL])(
    "the regular expression %s gives the same verdict as in JavaScript",
    (source) => {
      const native = new RegExp(source, "u");
      expect(new Pattern(source).problem).toBeUndefined();
      const fitting = stringMatching(native, { size: "small" });
      const texts = oneof(
        fitting,
        fitting.map((text) => `${text}!`),
        fitting.map((text) => text.slice(1)),
        string({ unit: "binary", maxLength: 12 }),
      );
      assert(
        property(texts, (text) => matches(source, text) === native.test(text)),
        { numRuns: 60, seed: 7 },
      );
    },
  );
});

describe("lookaheads at the start of a pattern", () => {
  it.each([
    [r`^(?=.*[A-Z])(?=.*\d).{8,}$`, ["Passw0rdX", "short1A"], ["password1", "PASSWORDS"]],
    [r`^(?!.*--)[a-z-]+$`, ["a-b-c"], ["a--b"]],
    [r`^(?!(?:admin|root)$)\w+(?:\.\w+)*$`, ["admins", "a.b"], ["admin", "root"]],
  ])(
    "the regular expression %s is split at its lookaheads and matches the same strings as in JavaScript",
    (source, passing, failing) => {
      expect(new Pattern(source).problem).toBeUndefined();
      for (const text of [...passing, ...failing]) {
        expect(matches(source, text)).toBe(new RegExp(source, "u").test(text));
      }
      expect(failing.filter((text) => matches(source, text))).toEqual([]);
    },
  );
});

describe("patterns that no engine runs in linear time", () => {
  it.each([
    ["has a lookbehind", r`(?<!a)b`],
    ["has a lookahead after the start", r`a(?=b)c`],
    ["has a backreference", r`^(a+)\1$`],
    ["has a named backreference", r`(?<a>x)\k<a>`],
    ["repeats too often", r`^(?:ab){1,1001}$`],
    ["is too large", r`^(?:[ab]{900}c?){9}$`],
    ["is too long", "a".repeat(30_000)],
    ["is nested too deeply", "(".repeat(300) + ")".repeat(300)],
    ["is not a regular expression", "(?P<a>b"],
    [
      "uses a feature that linear-time engines do not support",
      r`^(?:\p{Script_Extensions=Greek}+|a)+$`,
    ],
  ])("a pattern that %s is reported and accepts every string", (_, source) => {
    const pattern = new Pattern(source);
    expect(pattern.test("anything")).toBe(true);
    expect(pattern.problem).toMatch(/^it /);
  });
});

describe("budget of a check", () => {
  it("the time budget of a check ends the matching of many long strings, with the native and the linear engine", () => {
    for (const source of [r`^(?:a|b|ab)*c$`, r`a{3}b{3}`]) {
      renewCheckBudget();
      const pattern = new Pattern(source);
      const text = "ab".repeat(1_000_000);
      const run = (): void => {
        for (let time = 0; time < 1_000; time++) pattern.test(text);
      };
      expect(run).toThrow(CheckBudgetError);
    }
  });
});
