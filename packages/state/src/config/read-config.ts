import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { CallError, isCallError } from "@waybill/core";
import { isRecord, loadChecker, parseStrictJson } from "@waybill/core/schema";
import type { Issue } from "@waybill/core";
import type { Checker, CompiledSchema } from "@waybill/core/schema";
import { readPlainFile } from "../files/index.ts";
import { FrameSchema } from "./config-schema.ts";
import { CONFIG_VERSION } from "./config.ts";
import type { Config, ConfigFile } from "./config.ts";
import type { McpSourceConfig, SourceConfig } from "./source-config.ts";
import { SOURCE_SCHEMAS } from "./source-schemas.ts";

const MAX_BYTES = 16_000_000;

function configError(path: string, problem: string, issues: readonly Issue[] = []): CallError {
  const details = issues.length === 0 ? {} : { issues };
  return new CallError("VALIDATION_ERROR", `${path}: ${problem}`, details);
}

function issueText({ path, message, did_you_mean, allowed }: Issue): string {
  const place = path === "" ? "the file" : path;
  if (did_you_mean !== undefined) return `${place} ${message}; did you mean ${did_you_mean}?`;
  return allowed === undefined
    ? `${place} ${message}`
    : `${place} ${message}: ${allowed.join(", ")}`;
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readPlainFile(path, MAX_BYTES);
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    const why =
      code === "ENOENT"
        ? "there is no such file; check the path"
        : `cannot be read (${String(code)})`;
    throw configError(path, why);
  }
}

/**
 * Removes the part of the file's text that V8 quotes in its error, because a file in a cloned
 * repository may link to one of the user's secrets.
 */
const QUOTE = /(?<=is not JSON: Unexpected token '[^]{1,2}'), [^]*$/u;

function parseConfigText(path: string, bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Refuses duplicate names. Otherwise a person might check one source while Waybill uses the
    // other.
    return parseStrictJson(text, { what: `${path}:` });
  } catch (error) {
    if (isCallError(error)) throw error.with({}, { message: error.message.replace(QUOTE, "") });
    throw configError(path, "is not UTF-8 text; save it as UTF-8");
  }
}

const URLS = ["rest/baseUrl", "graphql/url", "url", "server"] as const;

/** Checks URLs now, because a later error could not name the file that contains the URL. */
function urlIssues(source: SourceConfig): Issue[] {
  return URLS.flatMap((path) => {
    const url = path
      .split("/")
      .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), source);
    const isFine = typeof url !== "string" || URL.canParse(url);
    return isFine
      ? []
      : [{ path: `/${path}`, message: "is not a URL such as https://api.example.com" }];
  });
}

/** Compiled once, because there may be several files, and many sources of one kind. */
const compiled = new WeakMap<Checker, Map<object, CompiledSchema>>();

function compileOnce(checker: Checker, schema: Parameters<Checker["compile"]>[0]): CompiledSchema {
  const known = compiled.get(checker) ?? new Map<object, CompiledSchema>();
  compiled.set(checker, known);
  const found = known.get(Object(schema)) ?? checker.compile(schema, { interpreted: true });
  known.set(Object(schema), found);
  return found;
}

function sourceIssues(checker: Checker, source: SourceConfig): readonly Issue[] {
  const schema = compileOnce(checker, SOURCE_SCHEMAS[source.kind]);
  return schema.check(source) ? urlIssues(source) : schema.issues(source);
}

/** Refuses a newer version with a message that says what to do. Otherwise its settings look wrong. */
function assertKnownVersion(path: string, value: unknown): void {
  const found = isRecord(value) ? value["version"] : undefined;
  if (typeof found !== "number" || found <= CONFIG_VERSION) return;
  const known = `this Waybill reads version ${CONFIG_VERSION}`;
  throw configError(path, `has version ${found}, but ${known}. Update Waybill to use the file`);
}

async function checkConfig(path: string, value: unknown): Promise<Config> {
  assertKnownVersion(path, value);
  const checker = await loadChecker();
  const frame = compileOnce(checker, FrameSchema);
  if (!frame.check(value)) throw invalidConfig(path, frame.issues(value));
  const config = value as Config;
  const issues = Object.entries(config.sources ?? {}).flatMap(([name, source]) =>
    sourceIssues(checker, source).map((issue) => ({
      ...issue,
      path: `/sources/${name}${issue.path}`,
    })),
  );
  if (issues.length > 0) throw invalidConfig(path, issues);
  return config;
}

function invalidConfig(path: string, issues: readonly Issue[]): CallError {
  return configError(path, issues.map(issueText).join("; "), issues);
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * A path to a program is relative to the file. A plain name is searched for in PATH, like in a
 * shell.
 */
function programPath(folder: string, program: string): string {
  return /[/\\]/u.test(program) ? resolve(folder, program) : program;
}

/** Programs that print secrets run in the folder of the file that names them. */
function withCredentialFolders<T>(value: T, folder: string): T {
  if (!isRecord(value)) return value;
  const { command } = value;
  if (Array.isArray(command)) {
    const [program = "", ...argv] = command as string[];
    return { ...value, command: [programPath(folder, program), ...argv], cwd: folder };
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withCredentialFolders(member, folder),
  ]);
  return Object.fromEntries(members) as T;
}

type Isolated = Extract<NonNullable<McpSourceConfig["isolated"]>, object>;

function isolatedFrom(isolated: Isolated, from: (path: string) => string): Isolated {
  const { folders, writable } = isolated;
  return {
    ...isolated,
    ...(folders !== undefined && { folders: folders.map(from) }),
    ...(writable !== undefined && { writable: writable.map(from) }),
  };
}

/** Makes relative paths absolute. They are relative to the file, not to the current folder. */
function withAbsolutePaths(source: SourceConfig, folder: string): SourceConfig {
  const from = (path: string): string => resolve(folder, path);
  const cwd = "cwd" in source && source.cwd !== undefined ? { cwd: from(source.cwd) } : {};
  switch (source.kind) {
    case "cards":
      return { ...source, folder: from(source.folder) };
    case "openapi":
      return {
        ...source,
        document: isUrl(source.document) ? source.document : from(source.document),
      };
    case "graphql":
      return {
        ...source,
        ...(source.schema !== undefined && { schema: from(source.schema) }),
        ...(source.documents !== undefined && { documents: source.documents.map(from) }),
      };
    case "nats":
      return source;
    case "command":
      return { ...source, ...cwd, manifest: from(source.manifest) };
    case "mcp":
      return {
        ...source,
        ...(source.command !== undefined && {
          // Runs the program in the folder of the file, because its arguments may be relative
          // paths too.
          cwd: from(source.cwd ?? "."),
          command: programPath(folder, source.command),
        }),
        ...(typeof source.isolated === "object" && {
          isolated: isolatedFrom(source.isolated, from),
        }),
      };
  }
}

function fromFolder(config: Config, folder: string): Config {
  const sources: Record<string, SourceConfig> = {};
  for (const [name, source] of Object.entries(config.sources ?? {})) {
    sources[name] = withAbsolutePaths(source, folder);
  }
  const { state, audit } = config;
  return {
    ...config,
    sources,
    ...(state !== undefined && { state: resolve(folder, state) }),
    ...(audit !== undefined && { audit: { ...audit, file: resolve(folder, audit.file) } }),
  };
}

/** Parses and checks the content of a file. Reads nothing from disk. */
export async function parseConfig(path: string, bytes: Uint8Array): Promise<ConfigFile> {
  const config = await checkConfig(path, parseConfigText(path, bytes));
  const digest = createHash("sha256").update(bytes).digest("hex");
  const folder = dirname(path);
  return { path, digest, config: fromFolder(withCredentialFolders(config, folder), folder) };
}

/** Reads and checks one file. Throws a CallError that names the file and the invalid member. */
export async function readConfig(path: string): Promise<ConfigFile> {
  return parseConfig(path, await readBytes(path));
}

/** The text of a file; undefined if the file does not exist. */
export async function readConfigText(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readPlainFile(path, MAX_BYTES));
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "ENOENT") return undefined;
    throw error;
  }
}
