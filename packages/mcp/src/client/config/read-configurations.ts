import { join } from "node:path";
import { errorFromUnknown } from "@waybill/core";
import { readPlainFile } from "@waybill/state/files";
import { parseMcpConfiguration } from "./parse-configuration.ts";
import type {
  ConfigurationProblem,
  FoundServer,
  ParsedConfiguration,
} from "./parse-configuration.ts";

const MAX_BYTES = 50_000_000;

/**
 * The files in which programs list their servers. Those of the project come before those of the
 * user.
 */
function configurationFiles(folder: string, home: string): string[] {
  return [
    join(folder, ".mcp.json"),
    join(folder, ".cursor", "mcp.json"),
    join(folder, ".vscode", "mcp.json"),
    join(home, ".claude.json"),
    join(home, ".cursor", "mcp.json"),
    join(home, ".config", "Claude", "claude_desktop_config.json"),
    join(home, "Library", "Application Support", "Claude", "claude_desktop_config.json"),
    join(home, "AppData", "Roaming", "Claude", "claude_desktop_config.json"),
    join(home, ".config", "Code", "User", "mcp.json"),
    join(home, "Library", "Application Support", "Code", "User", "mcp.json"),
    join(home, "AppData", "Roaming", "Code", "User", "mcp.json"),
  ];
}

/** A missing file has no servers. A file that cannot be read is a problem. */
async function readOne(file: string, folder: string, home: string): Promise<ParsedConfiguration> {
  try {
    const text = await readPlainFile(file, MAX_BYTES);
    return parseMcpConfiguration(String(text), { file, folder, home });
  } catch (thrown) {
    const code: unknown = thrown instanceof Error ? Reflect.get(thrown, "code") : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { servers: [], problems: [] };
    return { servers: [], problems: [{ file, message: errorFromUnknown(thrown).message }] };
  }
}

function serverAddress({ settings: { name: _name, ...server } }: FoundServer): string {
  return JSON.stringify(server);
}

/**
 * Lists a server that is in several files once. A different server with the same name gets a
 * number.
 */
function withoutDoubles(found: readonly FoundServer[]): FoundServer[] {
  const byName = new Map<string, FoundServer>();
  const addresses = new Set<string>();
  for (const server of found) {
    const address = serverAddress(server);
    if (addresses.has(address)) continue;
    addresses.add(address);
    const { name } = server.settings;
    let free = name;
    for (let number = 2; byName.has(free); number++) free = `${name}-${number}`;
    byName.set(free, { ...server, settings: { ...server.settings, name: free } });
  }
  return [...byName.values()];
}

/** Finds every MCP server that is configured for a project and its user, ready for `mcpSource`. */
export async function readMcpConfigurations(
  folder: string,
  home: string,
): Promise<{ servers: readonly FoundServer[]; problems: readonly ConfigurationProblem[] }> {
  const files = configurationFiles(folder, home);
  const all = await Promise.all(files.map((file) => readOne(file, folder, home)));
  return {
    servers: withoutDoubles(all.flatMap(({ servers }) => servers)),
    problems: all.flatMap(({ problems }) => problems),
  };
}
