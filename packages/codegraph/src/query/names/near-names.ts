import { nearestNames } from "@waybill/core/schema";
import type { CodeGraph } from "../../graph/index.ts";
import { baseName, nameIndex, pathIndex } from "./names.ts";
import { readLetters, missingLetters } from "./search-letters.ts";

const MAX_COMPARED = 100;
const MAX_NEAR = 5;

/** The few names with similar letters and length. Only these are compared in full. */
function likely(wanted: string, lower: readonly string[], letters: Uint32Array): number[] {
  const bits = readLetters(wanted);
  const scored: { at: number; off: number }[] = [];
  for (let at = 0; at < lower.length; at++) {
    const apart = Math.abs(lower[at]!.length - wanted.length);
    if (apart > 8) continue;
    const other = letters[at]!;
    const off = missingLetters(bits, other) + missingLetters(other, bits) + apart / 2;
    if (off <= 4) scored.push({ at, off });
  }
  return scored
    .toSorted((a, b) => a.off - b.off)
    .slice(0, MAX_COMPARED)
    .map(({ at }) => at);
}

/** Paths that a missing one may have meant: the same file name elsewhere, or a typing mistake. */
export function nearPaths(graph: CodeGraph, wanted: string): string[] {
  const { paths, lower, letters, lowerBases } = pathIndex(graph);
  const stem = baseName(wanted.toLowerCase()).replace(/\.[^.]*$/u, "");
  const same: string[] = [];
  for (let at = 0; at < paths.length && same.length < MAX_NEAR; at++) {
    const other = lowerBases[at]!;
    const isSame = other.startsWith(stem) && other.indexOf(".", stem.length) === stem.length;
    if (isSame || other === stem) same.push(paths[at]!);
  }
  const candidates = likely(wanted.toLowerCase(), lower, letters).map((at) => paths[at]!);
  const near = nearestNames(wanted, candidates, MAX_NEAR);
  return [...new Set([...near, ...same])].slice(0, MAX_NEAR);
}

export function nearSymbols(graph: CodeGraph, wanted: string): string[] {
  const { ids, lower, letters } = nameIndex(graph);
  const candidates = likely(wanted.toLowerCase(), lower, letters);
  return nearestNames(
    wanted,
    candidates.map((at) => graph.strings.get(ids[at]!)),
    MAX_NEAR,
  );
}
