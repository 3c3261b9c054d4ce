import type { SourceConfig } from "@waybill/local";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** The servers that editors and `.mcp.json` files know, as sources. */
export async function importedSources(
  _positionals: readonly string[],
  _io: Io,
): Promise<readonly (readonly [string, SourceConfig])[]> {
  throw new UsageError("pending");
}
