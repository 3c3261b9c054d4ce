import { isRecord } from "@waybill/core/schema";
import type { SpecDocument } from "./spec-document.ts";

const MAX_CHAIN = 32;

/** An error in a part of a description. The other parts can still be used. */
export class SpecProblem extends Error {
  override readonly name = "SpecProblem";
}

function decodedPointer(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The keys of a local reference. Undefined for a reference to another document. */
export function findKeys(ref: string): readonly string[] | undefined {
  if (ref === "#") return [];
  if (!ref.startsWith("#/")) return undefined;
  return ref
    .slice(2)
    .split("/")
    .map((key) => decodedPointer(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function findRef(value: unknown): string | undefined {
  const ref = isRecord(value) ? value["$ref"] : undefined;
  return typeof ref === "string" ? ref : undefined;
}

function shownReference(ref: string): string {
  return ref.slice(0, 120);
}

function target(document: SpecDocument, ref: string): unknown {
  const keys = findKeys(ref);
  if (keys === undefined) {
    throw new SpecProblem(
      `${shownReference(ref)} is outside the description; allow it with "external": true`,
    );
  }
  const found = document.at(keys);
  if (found === undefined)
    throw new SpecProblem(`${shownReference(ref)} does not exist in the description`);
  return found;
}

/** Follows references to their target. Throws a SpecProblem if that fails. */
export function resolve(document: SpecDocument, value: unknown): unknown {
  let current = value;
  for (let hop = 0; hop < MAX_CHAIN; hop++) {
    const ref = findRef(current);
    if (ref === undefined) return current;
    current = target(document, ref);
  }
  throw new SpecProblem(`${shownReference(findRef(value) ?? "")} refers to itself in a circle`);
}

/** Like `resolve`, but the target must be an object. */
export function resolveRecord(
  document: SpecDocument,
  value: unknown,
  what: string,
): Record<string, unknown> {
  const resolved = resolve(document, value);
  if (isRecord(resolved)) return resolved;
  throw new SpecProblem(`${what} is not an object`);
}
