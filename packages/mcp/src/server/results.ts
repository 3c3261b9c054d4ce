import type { ReadResourceResult, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { Waybill } from "@waybill/core";

export const RESULT_PREFIX = "waybill://result/";
const INPUTS = ["cursor", "path", "search"] as const;

/** The resource of a truncated result, addressed by its handle. */
export const RESULT_TEMPLATE: ResourceTemplateType = {
  name: "result",
  uriTemplate: `${RESULT_PREFIX}{handle}{?cursor,path,search,type}`,
  description:
    "The rest of a result that was cut, page by page. The handle is meta.handle of the answer",
  mimeType: "application/json",
};

function findInput(uri: string): Record<string, string> | undefined {
  if (!uri.startsWith(RESULT_PREFIX) || !URL.canParse(uri)) return undefined;
  const { pathname, searchParams } = new URL(uri);
  const given = INPUTS.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { handle: pathname.slice(1), ...Object.fromEntries(given) };
}

/** Reads a stored result like `result.read`. Undefined if there is none. */
export async function readStoredResult(
  waybill: Waybill,
  uri: string,
): Promise<ReadResourceResult | undefined> {
  const input = findInput(uri);
  if (input === undefined) return undefined;
  const { ok, data } = await waybill.execute("result.read", input);
  if (!ok) return undefined;
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }] };
}
