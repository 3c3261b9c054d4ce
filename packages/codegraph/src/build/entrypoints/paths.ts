/** Joins `/a/` and `b` to `/a/b`. */
export function joinPaths(...parts: readonly string[]): string {
  const joined = parts.flatMap((part) => part.split("/").filter((piece) => piece !== "")).join("/");
  return `/${joined}`;
}
