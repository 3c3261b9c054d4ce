import { errorFromUnknown } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { HttpServer, StdioServer } from "../settings.ts";
import { parseJsonc } from "./jsonc.ts";
import { References } from "./references.ts";
import type { NeededVariable } from "./references.ts";
import { readServer } from "./server-entry.ts";

/**
 * A server in a configuration file. Its settings are data, and variables in them are not filled in.
 */
export interface FoundServer {
  readonly settings: { readonly name: string } & (StdioServer | HttpServer);
  readonly file: string;
  /** The name in the file, if it is not valid as the name of a source. */
  readonly originalName?: string;
  readonly needs: readonly NeededVariable[];
}

export interface ConfigurationProblem {
  readonly file: string;
  /** The server that has the problem. Undefined if the whole file has it. */
  readonly server?: string;
  readonly message: string;
}

export interface ParsedConfiguration {
  readonly servers: readonly FoundServer[];
  readonly problems: readonly ConfigurationProblem[];
}

export interface ConfigurationFile {
  readonly file: string;
  /** The project folder, which replaces `${workspaceFolder}`. */
  readonly folder: string;
  readonly home: string;
}

const MAX_NAME = 40;

function sourceName(name: string): string {
  const letters = name.replaceAll(/[^\w-]+/gu, "-").replaceAll(/^[^A-Za-z]+|(?<!-)-+$/gu, "");
  return letters.slice(0, MAX_NAME) || "mcp";
}

/** Descriptions of the inputs for which VS Code asks the user. */
function getInputs({ inputs }: Record<string, unknown>): Map<string, string> {
  const known = (Array.isArray(inputs) ? (inputs as unknown[]) : []).filter(isRecord);
  return new Map(known.map(({ id, description }) => [String(id), String(description ?? id)]));
}

/** The file of Claude has servers of the user and servers of each project. */
function getServers(file: Record<string, unknown>, folder: string): [string, unknown][] {
  const { projects } = file;
  const project = isRecord(projects) ? projects[folder] : undefined;
  const places = [file["mcpServers"], file["servers"], isRecord(project) && project["mcpServers"]];
  return places.flatMap((servers) => (isRecord(servers) ? Object.entries(servers) : []));
}

function isOff(entry: unknown): boolean {
  return isRecord(entry) && (entry["disabled"] === true || entry["enabled"] === false);
}

/**
 * Reads the servers of one configuration file: `.mcp.json` and the files of Claude, Cursor and VS
 * Code. An invalid server is reported as a problem and does not affect the others.
 */
export function parseMcpConfiguration(text: string, place: ConfigurationFile): ParsedConfiguration {
  const { file, folder, home } = place;
  const servers: FoundServer[] = [];
  const problems: ConfigurationProblem[] = [];
  try {
    const parsed = parseJsonc(text);
    const inputs = getInputs(parsed);
    for (const [name, entry] of getServers(parsed, folder)) {
      if (isOff(entry)) continue;
      try {
        servers.push(foundServer(name, entry, new References({ folder, home, inputs }), file));
      } catch (thrown) {
        problems.push({ file, server: name, message: errorFromUnknown(thrown).message });
      }
    }
  } catch (thrown) {
    problems.push({ file, message: errorFromUnknown(thrown).message });
  }
  return { servers, problems };
}

function foundServer(
  name: string,
  entry: unknown,
  references: References,
  file: string,
): FoundServer {
  const server = readServer(entry, references);
  const ours = sourceName(name);
  return {
    settings: { name: ours, ...server },
    file,
    ...(ours !== name && { originalName: name }),
    needs: references.needed,
  };
}
