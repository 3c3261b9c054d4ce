import { isRecord } from "@waybill/core/schema";
import type { OperationSpec } from "@waybill/core";

type Params = Readonly<Record<string, unknown>>;

/** Branch names with more slashes are rare, and each possibility costs a request. */
const MAX_SLASHES = 3;
const COMMIT = /^[0-9a-f]{40}$/iu;

/**
 * A URL does not show where a ref ends: in `blob/feature/x/src/a.ts` it may be `feature`,
 * `feature/x` or `feature/x/src`. The shortest is tried first, and this lists the others.
 */
export function otherRefs(params: Params, { inputSchema }: OperationSpec): readonly Params[] {
  const { ref, path, ...rest } = params;
  if (typeof ref !== "string" || typeof path !== "string" || COMMIT.test(ref)) return [];
  const parts = path.split("/");
  const required = isRecord(inputSchema) ? inputSchema["required"] : [];
  const needsPath = Array.isArray(required) && required.includes("path");
  const last = Math.min(parts.length - (needsPath ? 1 : 0), MAX_SLASHES);
  return Array.from({ length: last }, (_, index) => {
    const longer = [ref, ...parts.slice(0, index + 1)].join("/");
    const left = parts.slice(index + 1).join("/");
    return left === "" ? { ...rest, ref: longer } : { ...rest, ref: longer, path: left };
  });
}
