// @ts-check
// The issues that were checked by hand.
import { readFileSync } from "node:fs";

/**
 * `true`: the issue is correct. `false`: something uses the file or the name.
 * @typedef {{
 * repository: string, commit: string, kind: string, id: string, file: string, line?: number,
 * symbol?: string, verdict: boolean, reason: string, }} Item
 */

export const KINDS = ["HANDLER_UNREACHABLE", "ORPHAN_EXPORT"];
const FILE = new URL("sample.json", import.meta.url);

/** @returns {Item[]} */
export function readSample() {
  const items = /** @type {Item[]} */ (JSON.parse(readFileSync(FILE, "utf8")));
  const problems = [...items.flatMap(sampleProblems), ...doubles(items)];
  if (problems.length > 0) throw new Error(`sample.json:\n${problems.join("\n")}`);
  return items;
}

/** @param {Item} item @param {number} place */
function sampleProblems({ repository, commit, kind, file, symbol, verdict, reason }, place) {
  const checks = [
    [/^[\w.-]+$/.test(repository), "repository must be a name"],
    [/^[0-9a-f]{40}$/.test(commit), "commit must be a full hash"],
    [KINDS.includes(kind), `kind must be one of ${KINDS.join(", ")}`],
    [file.length > 0 && !file.startsWith("/"), "file must be a path in the repository"],
    [
      (kind === "ORPHAN_EXPORT") === (symbol !== undefined),
      "symbol must be set for ORPHAN_EXPORT, and only for it",
    ],
    [typeof verdict === "boolean", "verdict must be true or false"],
    [reason.length > 10, "the reason is missing"],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => `item ${place + 1}: ${problem}`);
}

/** @param {Item[]} items */
function doubles(items) {
  const seen = new Set();
  return items.flatMap(({ repository, id }) => {
    const key = `${repository} ${id}`;
    if (seen.has(key)) return [`${key} is listed twice`];
    seen.add(key);
    return [];
  });
}
