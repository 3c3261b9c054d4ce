const MAX_FOUND = 30;

/**
 * How far apart the typed letters are in a text that contains them in this order; smaller is
 * better. Undefined if the text does not contain them.
 */
function findSpread(text: string, letters: string): number | undefined {
  let at = -1;
  let first = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return undefined;
    if (first < 0) first = at;
  }
  return at - first - letters.length + 1;
}

/** The score of a path; smaller is better. */
function findScore(path: string, asked: string): number | undefined {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  if (lower === asked) return 0;
  if (name.startsWith(asked)) return 1;
  if (name.includes(asked)) return 2;
  if (lower.includes(asked)) return 3;
  const spread = findSpread(lower, asked);
  return spread === undefined ? undefined : 4 + spread;
}

/** Finds files by a part of their path, or by letters of it in order. The best match is first. */
export function findFiles(files: readonly string[], words: string): number[] {
  const asked = words.trim().toLowerCase().replaceAll(/\s+/gu, "");
  if (asked === "") return [];
  const found: { readonly file: number; readonly score: number }[] = [];
  for (const [file, path] of files.entries()) {
    const score = findScore(path, asked);
    if (score !== undefined) found.push({ file, score });
  }
  return found
    .toSorted(
      (a, b) =>
        a.score - b.score || files[a.file]!.length - files[b.file]!.length || a.file - b.file,
    )
    .slice(0, MAX_FOUND)
    .map(({ file }) => file);
}
