import { posix } from "node:path";
import { fail } from "@waybill/core";

function outsideRoot(path: string): Error {
  const shown = JSON.stringify(path.slice(0, 200));
  return fail("VALIDATION", `${shown} is outside the root of the code graph`, {
    issues: [{ path: "/", message: "must be a path within the root" }],
    hint: "Pass a path relative to the root, such as src/index.ts",
  });
}

/**
 * Converts a path to the form of the graph: relative to the root, with `/`, and never outside of
 * it.
 */
export function confinedPath(root: string, given: string): string {
  if (given.includes("\0")) throw outsideRoot(given.replaceAll("\0", "\\0"));
  // A backslash is a separator only in a path with a drive letter; in a glob it escapes.
  const isWindows = /^[A-Za-z]:[\\/]/u.test(given);
  const slashed = isWindows ? given.replaceAll("\\", "/") : given.replace(/^file:\/\//u, "");
  const base = root.replaceAll("\\", "/").replace(/\/+$/u, "");
  const isAbsolute = slashed.startsWith("/") || isWindows;
  if (isAbsolute && slashed !== base && !slashed.startsWith(`${base}/`)) throw outsideRoot(given);
  const relative = isAbsolute ? slashed.slice(base.length).replace(/^\/+/u, "") : slashed;
  const plain = posix.normalize(relative === "" ? "." : relative).replace(/\/+$/u, "");
  if (plain === ".." || plain.startsWith("../")) throw outsideRoot(given);
  return plain === "." ? "" : plain;
}
