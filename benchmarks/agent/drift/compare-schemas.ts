import { breaks } from "./change.ts";
import type { Change, Side } from "./change.ts";
import { compareMembers } from "./compare-members.ts";
import { keywordWidth, typeWidth, valuesIn, valuesWidth } from "./compare-values.ts";
import { sameText, asSchema, jsonText } from "./walk.ts";
import type { Schema, Walk } from "./walk.ts";

/** Keywords that do not affect which values are valid. */
const WORDS = ["$schema", "$id", "$comment", "title", "description", "default", "examples"];
const BRANCHES = ["anyOf", "oneOf"];
const MEMBERS = ["properties", "required", "additionalProperties", "items"];
const TAKEN_APART = ["type", "enum", "const", ...MEMBERS, ...BRANCHES];
const PASSED_OVER = new Set([...WORDS, ...TAKEN_APART]);

function compareTypes(before: Schema, after: Schema, path: string, walk: Walk): void {
  const [old, now] = [before["type"], after["type"]];
  const width = typeWidth(old, now);
  if (width !== undefined)
    walk.report(path, `type ${jsonText(old ?? "any")} → ${jsonText(now ?? "any")}`, width);
}

function compareValues(before: Schema, after: Schema, path: string, walk: Walk): void {
  const [old, now] = [valuesIn(before), valuesIn(after)];
  const width = valuesWidth(old, now);
  if (width === undefined) return;
  const gone = (old ?? []).filter((value) => now !== undefined && !now.includes(value));
  const come = (now ?? []).filter((value) => old !== undefined && !old.includes(value));
  const edits = [...come.map((value) => `+${value}`), ...gone.map((value) => `−${value}`)];
  const all = old === undefined ? `only ${now?.join(" ")}` : "any";
  walk.report(path, `values ${edits.length > 0 ? edits.join(" ") : all}`, width);
}

function compareKeywords(before: Schema, after: Schema, path: string, walk: Walk): void {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const keyword of [...keywords].toSorted()) {
    const [old, now] = [before[keyword], after[keyword]];
    if (PASSED_OVER.has(keyword) || sameText(old, now)) continue;
    const width = keywordWidth(keyword, old, now);
    walk.report(path, `${keyword} ${jsonText(old)} → ${jsonText(now)}`, width);
  }
}

/** Branches with the same text are paired; the others are paired in order. */
function compareBranches(keyword: string, before: Schema, after: Schema, path: string, walk: Walk) {
  const [old, now] = [before[keyword], after[keyword]];
  if (sameText(old, now)) return;
  if (!Array.isArray(old)) return walk.report(path, `${keyword} added`, "narrower");
  if (!Array.isArray(now)) return walk.report(path, `${keyword} removed`, "wider");
  const gone = old.filter((branch) => !now.some((other) => sameText(branch, other)));
  const come = now.filter((branch) => !old.some((other) => sameText(branch, other)));
  const pairs = Math.min(gone.length, come.length);
  for (let pair = 0; pair < pairs; pair++) walk.into(gone[pair], come[pair], path);
  for (const branch of gone.slice(pairs)) {
    walk.report(path, `no longer ${jsonText(branch)}`, "narrower");
  }
  for (const branch of come.slice(pairs)) walk.report(path, `also ${jsonText(branch)}`, "wider");
}

/** Compares two schemas recursively. References are not followed. */
function compareNodes(before: unknown, after: unknown, path: string, walk: Walk): void {
  if (sameText(before, after)) return;
  const [old, now] = [asSchema(before), asSchema(after)];
  compareTypes(old, now, path, walk);
  compareValues(old, now, path, walk);
  compareKeywords(old, now, path, walk);
  compareMembers(old, now, path, walk);
  walk.into(old["items"], now["items"], `${path}[]`);
  for (const keyword of BRANCHES) compareBranches(keyword, old, now, path, walk);
}

/** How a schema changed, for code that writes or reads such values. */
export function compareSchemas(side: Side, before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  const walk: Walk = {
    side,
    report: (path, what, width) =>
      void changes.push({ side, path, what, isBreaking: breaks(side, width) }),
    into: (old, now, path) => compareNodes(old, now, path, walk),
  };
  compareNodes(before, after, "", walk);
  return changes;
}
