import { isRecord } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";

const HIDDEN = "[hidden]";

/** The params of a call as observers see them. `writeOnly` inputs are secrets and hidden. */
export function shownParams(spec: OperationSpec | undefined, params: unknown): unknown {
  const schema = spec?.inputSchema;
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  if (!isRecord(properties) || !isRecord(params)) return params;
  const secret = Object.keys(params).filter((name) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isRecord(own) && own["writeOnly"] === true;
  });
  if (secret.length === 0) return params;
  return { ...params, ...Object.fromEntries(secret.map((name) => [name, HIDDEN])) };
}
