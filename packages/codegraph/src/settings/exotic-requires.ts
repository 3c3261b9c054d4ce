import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@waybill/core";

/** Rules, and what they need to be said of the files that they are about. */
export const RULES_FILE = ".waybill/graph/layers.json";
/** A function, or one of an object: `need`, `window.require`. */
export const FUNCTION_NAME = String.raw`^[A-Za-z_$][\w$]{0,60}(\.[A-Za-z_$][\w$]{0,60}){0,2}$`;
export const MAX_FUNCTIONS = 20;

const IS_NAME = new RegExp(FUNCTION_NAME);

/**
 * The functions of a tree that load files as `require` does, by `exoticRequireStrings`. A file that
 * cannot be understood names none: whoever asks about rules is told what is wrong with it.
 */
export function exoticRequires(root: string): readonly string[] {
  const names = namesIn(root).filter((name) => typeof name === "string" && IS_NAME.test(name));
  return [...new Set(names as string[])].toSorted().slice(0, MAX_FUNCTIONS);
}

function namesIn(root: string): readonly unknown[] {
  try {
    const rules: unknown = JSON.parse(readFileSync(join(root, RULES_FILE), "utf8"));
    const names = isRecord(rules) ? rules["exoticRequireStrings"] : undefined;
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}
