// @ts-check
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const file = join(root, "CHANGELOG.md");

/** The content of all unreleased changesets, by file name. */
export function readChangesets() {
  const folder = join(root, ".changeset");
  const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return files.toSorted().map((name) => {
    const [, story = ""] =
      /^---\n[^]*?\n---\n([^]*)$/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
    return { name, story: story.trim() };
  });
}

/**
 * All packages share one version, so there is one changelog. A person writes it in groups under
 * "Unreleased", from the changesets, because a hundred single entries are hard to read.
 * @param {string} text
 */
function splitChangelog(text) {
  const [, head = "", notes = "", rest = ""] =
    /^([^]*?)## Unreleased\n([^]*?)((?=\n## )[^]*|)$/.exec(text) ?? [];
  if (head === "") throw new Error('CHANGELOG.md has no part "## Unreleased"');
  return { head, notes: notes.trim(), rest };
}

/** Ends the process if there are no notes for the release. */
export function assertNotes() {
  const { notes } = splitChangelog(readFileSync(file, "utf8"));
  if (notes !== "") return;
  const stories = readChangesets().map(({ name, story }) => `${name}\n${story}`);
  console.log(stories.join("\n\n"));
  throw new Error('Write what is new under "## Unreleased" in CHANGELOG.md, from these changesets');
}

/** @param {string} version @param {string} day */
export function nameNotes(version, day) {
  const { head, notes, rest } = splitChangelog(readFileSync(file, "utf8"));
  writeFileSync(file, `${head}## Unreleased\n\n## ${version} (${day})\n\n${notes}\n${rest}`);
}
