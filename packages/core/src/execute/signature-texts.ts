import type { OperationSpec } from "../operation/index.ts";
import type { Catalogue } from "../registry/index.ts";
import { inputsLine } from "../schema/index.ts";
import type { Sources } from "./sources/sources.ts";

/** Whether the signature is not stored, and a pack has to be opened to read it. */
function needsPack({ origin, signature }: OperationSpec): boolean {
  return origin === "pack" && signature === undefined;
}

/** Returns only the id if the source cannot describe the operation. A call of it reports why. */
function signatureFromSchema(spec: OperationSpec): string {
  try {
    return `${spec.id}${inputsLine(spec.inputSchema)}`;
  } catch {
    return spec.id;
  }
}

/**
 * How to call each of the operations, in a line. A stored signature needs no source. Otherwise
 * only sources of packs are opened.
 */
export async function findSignatureTexts(
  registry: Pick<Catalogue, "getSpec">,
  sources: Pick<Sources, "toLoad">,
  ids: readonly string[],
): Promise<readonly string[]> {
  const unread = ids.filter((id) => {
    const spec = registry.getSpec(id);
    return spec !== undefined && needsPack(spec);
  });
  await sources.toLoad(unread)?.();
  return ids.map((id) => {
    const spec = registry.getSpec(id);
    if (spec === undefined) return id;
    if (spec.signature !== undefined) return `${id}${spec.signature}`;
    return sources.toLoad([id]) === undefined ? signatureFromSchema(spec) : id;
  });
}
