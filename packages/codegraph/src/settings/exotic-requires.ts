import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@waybill/core/schema";

/** The file with the rules, and with settings for reading files. */
export const RULES_FILE = ".waybill/graph/layers.json";
export const MAX_FUNCTIONS = 20;

const WORD = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]{0,60}`;
const NAME = new RegExp(String.raw`^${WORD}(?:\.${WORD}){0,2}$`, "u");
/** Names that cannot be configured: `require` is always read, and `import` is not a function. */
const OTHERS = /^(?:require$|import(?:$|\.))/;

/** Whether a text can be the name of a loading function: `need`, `window.require`. */
export function isFunctionName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name) && !OTHERS.test(name);
}

/**
 * The functions of a tree that are used like `require`, from `exoticRequireStrings`. Empty for an
 * invalid file; the check of the rules reports the mistake.
 */
export function exoticRequires(root: string): readonly string[] {
  const names = readFunctionNames(root);
  if (names.length > MAX_FUNCTIONS || !names.every(isFunctionName)) return [];
  return [...new Set(names)].toSorted();
}

function readFunctionNames(root: string): readonly unknown[] {
  try {
    const file = join(root, RULES_FILE);
    // Only a plain file is read, because a link to a device would never end.
    if (!statSync(file).isFile()) return [];
    const rules: unknown = JSON.parse(readFileSync(file, "utf8"));
    const names = isRecord(rules) ? rules["exoticRequireStrings"] : undefined;
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}
