import type { AbsentFiles } from "./walk.ts";

const MAX_NAMED = 3;

/** Why files of a tree may be missing, in a few words each. */
export function absentReasons({ submodules, missing }: AbsentFiles): string[] {
  const named = submodules.slice(0, MAX_NAMED).join(", ");
  const more = submodules.length > MAX_NAMED ? ", …" : "";
  return [
    ...(submodules.length === 0 ? [] : [`nested repositories are not read: ${named}${more}`]),
    ...(missing === 0
      ? []
      : [`a sparse checkout leaves out ${missing} ${missing === 1 ? "file" : "files"}`]),
  ];
}
