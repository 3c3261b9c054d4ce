import { homedir } from "node:os";
import { resolve } from "node:path";
import { createRedactor } from "@waybill/core";
import { isSecretName } from "@waybill/core/cards";
import type { McpSourceConfig } from "@waybill/state";
import { readPlainFile } from "@waybill/state/files";
import { parseMcpConfiguration, readMcpConfigurations } from "@waybill/mcp/client";
import type { FoundServer, ParsedConfiguration } from "@waybill/mcp/client";
import { warn } from "../io.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../words/usage-error.ts";
import { whyNot } from "./describe.ts";

const MAX_BYTES = 32_000_000;

type Values = Readonly<Record<string, string>>;

/** The environment variable that replaces a secret. */
function variableFor(server: string, name: string): string {
  const words = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return /^[A-Z_]/.test(words) ? words : `${server.toUpperCase().replaceAll("-", "_")}_${words}`;
}

/** Replaces the values of variables and headers, because they may be secrets. */
function withoutSecrets(server: string, values: Values, missing: string[]): Values {
  const clean = Object.entries(values).map(([name, value]) => {
    if (/\$\{env:[^}]+\}/.test(value)) return [name, value] as const;
    const variable = variableFor(server, name);
    missing.push(variable);
    return [name, `\${env:${variable}}`] as const;
  });
  return Object.fromEntries(clean);
}

function getSource({ settings }: FoundServer, missing: string[]): McpSourceConfig {
  const { name, ...server } = settings;
  const clean = (values: Values | undefined) => values && withoutSecrets(name, values, missing);
  if ("url" in server) {
    const headers = clean(server.headers);
    return { kind: "mcp", url: server.url, ...(headers !== undefined && { headers }) };
  }
  const { command, args, cwd } = server;
  const env = clean(server.env);
  return {
    kind: "mcp",
    command,
    ...(args !== undefined && args.length > 0 && { args }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  };
}

const redactor = createRedactor();

/**
 * Whether the entry contains a secret, either after a flag such as `--api-key` or as text that
 * looks like a secret.
 */
function isWrittenOut({ url = "", args = [] }: McpSourceConfig): boolean {
  const isAnnounced = args.some(
    (word, at) =>
      word.startsWith("-") && isSecretName(word.replace(/^-+/, "")) && at + 1 < args.length,
  );
  return isAnnounced || [url, ...args].some((word) => redactor.text(word) !== word);
}

async function foundServers(
  given: string | undefined,
  { cwd, env }: Io,
): Promise<ParsedConfiguration> {
  const home = env["HOME"] || homedir();
  if (given === undefined) return readMcpConfigurations(cwd, home);
  const file = resolve(cwd, given);
  const text = await readPlainFile(file, MAX_BYTES).catch((cause: unknown) => {
    throw new UsageError(`${given} cannot be read: ${whyNot(cause)}`);
  });
  return parseMcpConfiguration(String(text), { file, folder: cwd, home });
}

/** The MCP servers from the files of editors and from `.mcp.json`, or from one file, as sources. */
export async function importedSources(
  [kind, given]: readonly string[],
  io: Io,
): Promise<readonly (readonly [string, McpSourceConfig])[]> {
  if (kind !== "mcp")
    throw new UsageError(
      "--import works only for MCP servers; run: waybill source add mcp --import",
    );
  const { servers, problems } = await foundServers(given, io);
  await warn(
    io,
    problems.map(({ file, server, message }) =>
      server === undefined
        ? `${file}: ${message}`
        : `${server} in ${file} was not added: ${message}`,
    ),
  );
  if (servers.length === 0) {
    const hint = "waybill source add mcp <command or URL>";
    throw new UsageError("No MCP server is configured here to import", { hint });
  }
  const missing: string[] = [];
  const sources = servers.map(
    (server) => [server.settings.name, getSource(server, missing)] as const,
  );
  const unset = missing.filter((name) => !io.env[name]);
  await warn(
    io,
    unset.map((name) => `a value was not copied; set ${name} in the environment`),
  );
  const telling = sources.filter(([, config]) => isWrittenOut(config)).map(([name]) => name);
  await warn(
    io,
    telling.map(
      (name) =>
        `${name} was not added: its arguments or address contain a secret. Move the secret to a variable and add the server with waybill source add mcp`,
    ),
  );
  return sources.filter(([name]) => !telling.includes(name));
}
