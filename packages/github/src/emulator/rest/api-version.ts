import { failure } from "./reply.ts";
import type { Reply } from "./reply.ts";

/** The versions that GitHub supports; its description is of the first, which is the default. */
export const API_VERSIONS = ["2022-11-28", "2026-03-10"] as const;

/** A version that GitHub does not support is a bad request. */
export function refuseVersion(version: string | undefined): Reply | undefined {
  if (version === undefined || API_VERSIONS.some((one) => one === version)) return undefined;
  const supported = API_VERSIONS.join(", ");
  return failure(400, `"${version}" is not a supported API version. Supported: ${supported}`);
}
