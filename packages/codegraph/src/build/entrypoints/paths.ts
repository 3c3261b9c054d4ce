/** `/a/` and `b` are `/a/b`. */
export function joinPaths(...parts: readonly string[]): string {
  const joined = parts.flatMap((part) => part.split("/").filter((piece) => piece !== "")).join("/");
  return `/${joined}`;
}
