// @ts-check
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** The stories of all changes that are not released yet, by file name. */
export function readChangesets() {
  const folder = join(root, ".changeset");
  const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return files.toSorted().map((name) => {
    const [, head = "", story = ""] =
      /^---\n([^]*?)\n---\n([^]*)$/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
    const packages = [...head.matchAll(/^"?([@\w/-]+)"?:/gm)].map(([, found]) => found ?? "");
    return { packages, story: story.trim() };
  });
}

/**
 * All packages share one version, so there is one changelog: what is new in a few lines, written by
 * hand under "Unreleased", and then the story of every change.
 * @param {string} version @param {string} day @param {ReturnType<typeof readChangesets>} changes
 */
export function writeChangelog(version, day, changes) {
  const file = join(root, "CHANGELOG.md");
  const text = readFileSync(file, "utf8");
  const [, head = "", highlights = "", rest = ""] =
    /^([^]*?)## Unreleased\n([^]*?)((?=\n## )[^]*|)$/.exec(text) ?? [];
  if (head === "") throw new Error('CHANGELOG.md has no part "## Unreleased"');
  const stories = changes.map(
    ({ packages, story }) => `- ${indented(story)} (${packages.join(", ")})`,
  );
  const sections = [
    `## ${version} (${day})`,
    highlights.trim(),
    "### Every change",
    stories.join("\n"),
  ];
  writeFileSync(file, `${head}## Unreleased\n\n${sections.filter(Boolean).join("\n\n")}\n${rest}`);
}

/** @param {string} story */
function indented(story) {
  return story.replaceAll(/\n(?=.)/g, "\n  ");
}
