import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@waybill/core/schema";

/** Rules, and what they need to be said of the files that they are about. */
export const RULES_FILE = ".waybill/graph/layers.json";
export const MAX_FUNCTIONS = 20;

const WORD = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]{0,60}`;
const NAME = new RegExp(String.raw`^${WORD}(?:\.${WORD}){0,2}$`, "u");
/** These are read anyhow, or are no functions. */
const OTHERS = /^(?:require$|import(?:$|\.))/;

/** A function that may load files instead of `require`: `need`, `window.require`. */
export function isFunctionName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name) && !OTHERS.test(name);
}

/**
 * The functions of a tree that load files as `require` does, by `exoticRequireStrings`. An unusable
 * file names none; the check of its rules reports the mistake.
 */
export function exoticRequires(root: string): readonly string[] {
  const names = readFunctionNames(root);
  if (names.length > MAX_FUNCTIONS || !names.every(isFunctionName)) return [];
  return [...new Set(names)].toSorted();
}

function readFunctionNames(root: string): readonly unknown[] {
  try {
    const file = join(root, RULES_FILE);
    // A link to a device would be read without end.
    if (!statSync(file).isFile()) return [];
    const rules: unknown = JSON.parse(readFileSync(file, "utf8"));
    const names = isRecord(rules) ? rules["exoticRequireStrings"] : undefined;
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}
