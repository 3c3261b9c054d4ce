// @ts-check
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

/** Deletes the changesets whose notes are now in the changelog. */
export function removeChangesets() {
  for (const { name } of readChangesets()) rmSync(join(root, ".changeset", name));
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

/**
 * Adds the notes to those of a version that was not released yet, group by group.
 * @param {string} version @param {string} day
 */
export function joinNotes(version, day) {
  const { head, notes, rest } = splitChangelog(readFileSync(file, "utf8"));
  const [, before, older, after] =
    new RegExp(`^([^]*?)\\n## ${version} \\([^)]*\\)\\n([^]*?)((?=\\n## )[^]*|)$`).exec(rest) ?? [];
  if (older === undefined) throw new Error(`CHANGELOG.md has no part "## ${version}"`);
  const joined = joinGroups(older.trim(), notes);
  const text = `${head}## Unreleased\n${before}\n## ${version} (${day})\n\n${joined}\n${after}`;
  writeFileSync(file, text);
}

/** @param {string} older @param {string} newer */
function joinGroups(older, newer) {
  const groups = groupsIn(older);
  for (const [title, lines] of groupsIn(newer)) {
    groups.set(title, [groups.get(title), lines].filter(Boolean).join("\n"));
  }
  return [...groups].map(([title, lines]) => `${title}${lines}`).join("\n\n");
}

/** The lines below each heading, and before the first one, by the heading. @param {string} notes */
function groupsIn(notes) {
  const parts = notes.split(/^(?=### )/m).map((part) => /^(### .*\n\n)?([^]*)$/.exec(part.trim()));
  return new Map(parts.map((part) => [part?.[1] ?? "", part?.[2] ?? ""]));
}
