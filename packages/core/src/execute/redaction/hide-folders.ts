/** A shorter path reveals little about a machine, and may be a JSON pointer, such as `/app`. */
const MIN_PARTS = 2;

function partsIn(folder: string): number {
  return folder.split(/[/\\]/).filter((part) => part !== "").length;
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** Returns a function that makes paths inside the given folders relative, in any text. */
export function folderHider(folders: readonly string[]): (text: string) => string {
  const hidden = folders.filter((folder) => partsIn(folder) >= MIN_PARTS);
  if (hidden.length === 0) return (text) => text;
  // Sorted by length, with the longest first, because one folder may be inside another.
  const names = hidden.toSorted((one, other) => other.length - one.length).map(escapeForRegExp);
  const start = String.raw`(?:(?<![\w.~/\\-])|(?<=file:\/\/))`;
  const path = new RegExp(`${start}(?:${names.join("|")})([/\\\\]|(?![\\w.~-]))`, "g");
  return (text) => text.replaceAll(path, (_, separator: string) => (separator === "" ? "." : ""));
}
