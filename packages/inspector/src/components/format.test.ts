import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCount,
  formatDate,
  formatMs,
  formatShare,
  formatTime,
  describedAs,
  sentence,
} from "./format.ts";

describe("formatted numbers", () => {
  it.each([
    ["0.42 ms", formatMs(0.42), "0.4 ms"],
    ["12.6 ms", formatMs(12.6), "13 ms"],
    ["1,340 ms", formatMs(1_340), "1.3 s"],
    ["125,000 ms", formatMs(125_000), "2 min 5 s"],
    ["an unknown duration", formatMs(undefined), "–"],
    ["a count of 12345", formatCount(12_345), "12,345"],
    ["an unknown count", formatCount(undefined), "–"],
    ["900 bytes", formatBytes(900), "900 bytes"],
    ["5,242,880 bytes", formatBytes(5 * 1_048_576), "5 MB"],
    ["1 of 1,000", formatShare(1, 1_000), "< 1 %"],
    ["1 of 4", formatShare(1, 4), "25 %"],
    ["0 of 0", formatShare(0, 0), "–"],
  ])("the inspector shows %s as %s", (_number, written, expected) => {
    expect(written).toBe(expected);
  });
});

it("the inspector writes the description of a field as a sentence", () => {
  const texts = ["replaces all", "owner/name, such as octo/hello", "A branch"];
  expect(texts.map(describedAs)).toEqual([
    "Replaces all.",
    "owner/name, such as octo/hello.",
    "A branch.",
  ]);
});

it("the inspector adds a full stop to a sentence that has no end mark", () => {
  expect(["Gone", "Gone.", "Why?"].map(sentence)).toEqual(["Gone.", "Gone.", "Why?"]);
});

describe("formatted times", () => {
  const now = new Date(2026, 4, 12, 15, 0, 0).getTime();

  it("the inspector shows a time of today without the date, even after the clock was set back", () => {
    expect(formatTime(now + 60_000, now)).toMatch(/^15:01:00$/u);
  });

  it("the inspector shows a time of another day with its date", () => {
    expect(formatTime(now - 3 * 86_400_000, now)).toMatch(/9.*15:00:00$/u);
  });

  it("the inspector shows an invalid time as a dash", () => {
    expect([formatTime(Number.NaN), formatDate(Number.NaN)]).toEqual(["–", "–"]);
  });
});
