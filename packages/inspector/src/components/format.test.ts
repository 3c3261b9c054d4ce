import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCount,
  formatDate,
  formatMs,
  formatShare,
  formatTime,
  sentence,
} from "./format.ts";

describe("a number", () => {
  it.each([
    [formatMs(0.42), "0.4 ms"],
    [formatMs(12.6), "13 ms"],
    [formatMs(1_340), "1.3 s"],
    [formatMs(125_000), "2 min 5 s"],
    [formatMs(undefined), "–"],
    [formatCount(12_345), "12,345"],
    [formatCount(undefined), "–"],
    [formatBytes(900), "900 bytes"],
    [formatBytes(5 * 1_048_576), "5 MB"],
    [formatShare(1, 1_000), "< 1 %"],
    [formatShare(1, 4), "25 %"],
    [formatShare(0, 0), "–"],
  ])("a number is written as %s", (written, expected) => {
    expect(written).toBe(expected);
  });
});

it("ends words from elsewhere so that more can follow", () => {
  expect(["Gone", "Gone.", "Why?"].map(sentence)).toEqual(["Gone.", "Gone.", "Why?"]);
});

describe("a time", () => {
  const now = new Date(2026, 4, 12, 15, 0, 0).getTime();

  it("shows no date for today, also after the clock was set back", () => {
    expect(formatTime(now + 60_000, now)).toMatch(/^15:01:00$/u);
  });

  it("shows the date of another day", () => {
    expect(formatTime(now - 3 * 86_400_000, now)).toMatch(/9.*15:00:00$/u);
  });

  it("shows a dash for an invalid time", () => {
    expect([formatTime(Number.NaN), formatDate(Number.NaN)]).toEqual(["–", "–"]);
  });
});
