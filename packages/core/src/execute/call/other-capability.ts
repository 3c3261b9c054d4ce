import type { OperationSpec } from "../../operation/index.ts";
import type { Catalogue } from "../../registry/index.ts";
import { inputNames } from "../../schema/index.ts";

/** The maximum number of candidates: enough for one domain of a large pack. */
const MAX_CANDIDATES = 500;
/** Words shorter than this match by chance. */
const MIN_WORD = 4;

function firstWord(id: string): string {
  return id.split(".", 1)[0]!;
}

/**
 * All operations of an API have the same first word in their ids, so the second word is the
 * topic.
 */
function isSameTopic(one: string, other: string): boolean {
  return one.split(".", 2).join(".") === other.split(".", 2).join(".");
}

/**
 * Whether two words have the same meaning: `closed` matches `close`, and `open` matches
 * `reopen`.
 */
function isVerbFor(word: string, value: unknown): boolean {
  if (typeof value !== "string" || value.length < MIN_WORD || word.length < MIN_WORD) return false;
  const state = value.toLowerCase();
  return state.startsWith(word) || word.endsWith(state);
}

function score(spec: OperationSpec, asked: string, name: string, value: unknown): number {
  const words = spec.id.split(".").slice(1);
  const isYes = value === true || value === "true";
  // Treats `state: "merged"` like `merged: true`.
  if (isVerbFor(words.at(-1) ?? "", isYes ? name : value)) return 3;
  if (words.includes(name) || words.includes(`${name}s`)) return 2;
  if (asked.split(".").length > 2 && !isSameTopic(spec.id, asked)) return 0;
  return inputNames(spec.inputSchema)?.has(name) === true ? 1 : 0;
}

/**
 * The capability that does what an unknown input asks for: `issue.close` for `state: "closed"` or
 * `closed: true` given to `issue.update`. Only capabilities of the same domain and effect are considered.
 */
export function otherCapability(
  registry: Catalogue,
  { id, effect }: OperationSpec,
  name: string,
  value: unknown,
): string | undefined {
  let best: { readonly id: string; readonly score: number } | undefined;
  for (const spec of registry.list({ namespace: firstWord(id) }).slice(0, MAX_CANDIDATES)) {
    if (spec.id === id || spec.effect !== effect) continue;
    const found = score(spec, id, name, value);
    const isBetter = found > (best?.score ?? 0);
    const isShorter = found > 0 && found === best?.score && spec.id.length < best.id.length;
    if (isBetter || isShorter) best = { id: spec.id, score: found };
  }
  return best?.id;
}
