import { failure } from "./reply.ts";
import type { Reply } from "./reply.ts";

/**
 * The API versions that GitHub supports. The first is the default, and GitHub's description is of
 * that version.
 */
export const API_VERSIONS = ["2022-11-28", "2026-03-10"] as const;

/** Answers 400 for an unsupported version. */
export function refuseVersion(version: string | undefined): Reply | undefined {
  if (version === undefined || API_VERSIONS.some((one) => one === version)) return undefined;
  const supported = API_VERSIONS.join(", ");
  return failure(400, `"${version}" is not a supported API version. Supported: ${supported}`);
}
