/** The maximum depth, the same as for reading cards from a folder. */
const MAX_DEPTH = 8;

/** The names of documents that a description may refer to. */
export const DOCUMENT_NAME: RegExp = /\.(?:ya?ml|json)$/i;

function isLeftOut(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** Whether files are read from a folder, which is given by its path inside the source's folder. */
export function isSearchedFolder(inside: string): boolean {
  const names = inside.split(/[/\\]/u);
  return names.length <= MAX_DEPTH && !names.some(isLeftOut);
}

/**
 * Whether a description may refer to a file, which is given by its path inside the description's
 * folder. Trust in a project's description includes these files and no others.
 */
export function isDocumentFile(inside: string): boolean {
  const names = inside.split(/[/\\]/u);
  const folder = names.slice(0, -1).join("/");
  return DOCUMENT_NAME.test(inside) && (folder === "" || isSearchedFolder(folder));
}
