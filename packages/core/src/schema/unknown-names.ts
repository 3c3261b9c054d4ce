import { isRecord } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import type { ObjectNames } from "./input-names.ts";
import { nearestNames } from "./nearest.ts";
import { pointerKey } from "./pointer.ts";

const MAX_DEPTH = 64;
/** The maximum number of objects and lists to visit. An input from a program may contain itself. */
const MAX_VALUES = 100_000;
const MAX_ISSUES = 32;

/** An undeclared name with the nearest declared one, or with all of them. */
export function unknownName(path: string, name: string, known: ReadonlySet<string>): Issue {
  const issue: Issue = { path: path + pointerKey(name), message: "is not an input" };
  const [near] = nearestNames(name, known, 1);
  return near === undefined ? { ...issue, allowed: [...known] } : { ...issue, did_you_mean: near };
}

/** Collects the undeclared names below the top level of an input. */
class InnerNames {
  readonly issues: Issue[] = [];
  #values = 0;

  visit(value: unknown, place: ObjectNames | undefined, path: string, depth: number): void {
    if (place === undefined || typeof value !== "object" || value === null) return;
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES) return;
    if (Array.isArray(value)) this.#visitItems(value, place, path, depth);
    else if (isRecord(value)) this.#visitMembers(value, place, path, depth);
  }

  #visitItems(list: readonly unknown[], place: ObjectNames, path: string, depth: number): void {
    const item = place.item();
    for (const [index, value] of list.entries()) {
      if (this.issues.length >= MAX_ISSUES) return;
      this.visit(value, item, `${path}/${index}`, depth + 1);
    }
  }

  #visitMembers(
    object: Readonly<Record<string, unknown>>,
    place: ObjectNames,
    path: string,
    depth: number,
  ): void {
    for (const name of Object.keys(object)) {
      if (this.issues.length >= MAX_ISSUES) return;
      // `namedParams` checks the top-level names, because it also knows other capabilities.
      if (depth > 0 && !place.takes(name))
        this.issues.push(unknownName(path, name, place.names ?? new Set()));
      else this.visit(object[name], place.member(name), path + pointerKey(name), depth + 1);
    }
  }
}

/** The undeclared names in the objects and lists of an input, at most 32. */
export function unknownInnerNames(names: ObjectNames, input: unknown): readonly Issue[] {
  const found = new InnerNames();
  found.visit(input, names, "", 0);
  return found.issues;
}
