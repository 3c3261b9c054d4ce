import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readingEase } from "../scripts/prose/reading-ease.ts";
import { root } from "../scripts/run.mjs";

/**
 * The required reading ease: above 63.0, the median of ten pages of the Vite and Hono docs (in
 * RESULTS.md).
 */
const READING_EASE = 65;
const MOST_LINES = 250;
/** The first word of a page must be a verb that says what the reader does. */
const FIRST_WORDS = new Set(
  (
    "Add Ask Call Carry Connect Decide Describe Find Follow Look Make Read Record Repeat Replace Run " +
    "See Share Sign Start Triage Understand"
  ).split(" "),
);

const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !file.includes("node_modules") && !file.startsWith("."))
  .map((file) => file.replaceAll("\\", "/"));
const guides = pages.filter((page) => /^(?:guides|getting-started)\//.test(page));

function read(page: string): string {
  return readFileSync(join(root, "docs", page), "utf8");
}

/** The first sentence below the title. */
function firstSentence(page: string): string {
  const text = page.replace(/^# .*$/m, "").replaceAll(/<!--[^]*?-->/g, "");
  return text.trim().split(/[.:]\s/)[0]!;
}

describe("documentation pages", () => {
  it("docs/ has more than 20 guides, and pages in other folders", () => {
    expect(guides.length).toBeGreaterThan(20);
    expect(pages.length).toBeGreaterThan(guides.length);
  });

  it.each(pages)(`docs/%s has at most ${MOST_LINES} lines`, (page) => {
    expect(read(page).split("\n").length - 1).toBeLessThanOrEqual(MOST_LINES);
  });

  it.each(pages.filter((page) => page !== "index.md"))(
    "docs/%s starts with what the reader will be able to do",
    (page) => {
      const first = firstSentence(read(page));
      const isPlan = first.startsWith("In five minutes you ");
      expect(isPlan || FIRST_WORDS.has(first.split(" ")[0]!) ? "" : first).toBe("");
    },
  );

  it.each(guides)("docs/%s is as easy to read as the guides of Vite and Hono", (page) => {
    expect(readingEase(read(page))).toBeGreaterThanOrEqual(READING_EASE);
  });

  it("the reading score is lower for long words and for long sentences", () => {
    const plain = "The cat sat on the mat. It was warm.";
    const hard =
      "Notwithstanding considerable organisational difficulties, implementation continued.";
    expect(readingEase(plain)).toBeGreaterThan(readingEase(hard) + 50);
  });
});
