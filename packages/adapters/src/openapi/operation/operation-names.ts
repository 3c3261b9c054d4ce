import { createHash } from "node:crypto";

/** The longest tool name that clients and model APIs accept. */
const MAX_ID = 64;
const MIN_NAME = 24;
const HASH_LENGTH = 8;

export interface Nameable {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
}

/** The lookbehinds start a match only where its characters begin, so that a long run is read once. */
const AROUND_DOTS = /(?<![._-])[._-]*\.[._-]*/gu;
const AT_ENDS = /^[._-]+|(?<![._-])[._-]+$/gu;
const LINES_AT_ENDS = /^_+|(?<!_)_+$/gu;

/**
 * Replaces characters that ids do not allow. The words of an id have letters, digits, `_` and `-`,
 * with dots between them.
 */
function asWords(text: string): string {
  return text
    .replaceAll(/[/.:]+/gu, ".")
    .replaceAll(/[^\w.-]+/gu, "_")
    .replaceAll(AROUND_DOTS, ".")
    .replaceAll(AT_ENDS, "");
}

function plainName({ method, path, operationId }: Nameable): string {
  const given = asWords(operationId ?? "");
  if (given !== "") return given;
  const words = path.replaceAll(/[^\w-]+/gu, "_").replaceAll(LINES_AT_ENDS, "");
  return words === "" ? method : `${method}_${words}`;
}

/** Adds a hash to a name. The hash depends only on the operation itself. */
function withHash(name: string, { method, path, operationId }: Nameable, limit: number): string {
  const identity = `${method} ${path} ${operationId ?? ""}`;
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, HASH_LENGTH);
  return `${name.slice(0, limit - HASH_LENGTH - 1).replace(/[._-]+$/u, "")}_${hash}`;
}

/**
 * A name for each operation, in order. If two operations have the same name, the second one gets
 * a hash.
 */
export function operationNames(source: string, operations: Iterable<Nameable>): string[] {
  const limit = Math.max(MIN_NAME, MAX_ID - source.length - 1);
  const taken = new Set<string>();
  const names: string[] = [];
  for (const operation of operations) {
    const plain = plainName(operation);
    const isFree = plain.length <= limit && !taken.has(plain);
    const name = isFree ? plain : withHash(plain, operation, limit);
    taken.add(name);
    names.push(name);
  }
  return names;
}
