import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fail } from "@waybill/core";
import { readPlainFile } from "../files/index.ts";
import type { Config } from "./config.ts";
import type {
  CommandSourceConfig,
  McpSourceConfig,
  OpenapiSourceConfig,
  SourceConfig,
} from "./source-config.ts";

const MAX_FILES = 5_000;
/** The maximum depth, the same as for reading cards from a folder. */
const MAX_DEPTH = 8;
const MAX_WORDS = 1_000;
/** The maximum size. No script, card or description is larger. */
const MAX_BYTES = 128_000_000;

async function filesBelow(folder: string, kind: RegExp, depth = 0): Promise<string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths: string[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    if (name.startsWith(".") || name === "node_modules") continue;
    paths.push(...(await filesBelow(join(folder, name), kind, depth + 1)));
  }
  const files = entries.filter((entry) => kind.test(entry.name));
  return [...paths, ...files.map(({ name }) => join(folder, name))];
}

/** A file that Waybill cannot read is treated as empty, because the source cannot use it either. */
function readContent(path: string): Promise<Buffer | string> {
  return readPlainFile(path, MAX_BYTES).catch(() => "");
}

async function isReadable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.isFile() && found.size <= MAX_BYTES;
}

/** The words that are names of files in one of the folders. */
async function filesAmong(words: readonly string[], folders: readonly string[]): Promise<string[]> {
  const paths = [...new Set(words)]
    .slice(0, MAX_WORDS)
    .flatMap((word) => folders.map((folder) => resolve(folder, word)));
  const found = await Promise.all(
    paths.map(async (path) => ((await isReadable(path)) ? [path] : [])),
  );
  return found.flat();
}

/** Matches everything in a text that may be a path. */
function pathWords(text: string): string[] {
  return (text.match(/[\w@.+~/-]+/gu) ?? []).filter((word) => /[./]/.test(word));
}

/** Matches the name of a script, or of a library that a program loads. */
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|pl|lua|php|ps1|bat|cmd|(?:ba|z|fi|k)?sh|jar|wasm|so|dll|node)$/i;

/**
 * The code files that a text names, such as `--import=./hook.mjs` or the command of `sh -c`.
 * Data files are left out, because a server may write to its own files.
 */
function codeIn(texts: readonly string[]): string[] {
  return texts.flatMap(pathWords).filter((path) => CODE.test(path));
}

/**
 * The program, and the scripts that its arguments and variables name. Files that those scripts
 * load are not included.
 */
function serverFiles({ command, args = [], env = {}, cwd }: McpSourceConfig): Promise<string[]> {
  if (command === undefined || cwd === undefined) return Promise.resolve([]);
  const program = command.includes("/") ? [command] : [];
  return filesAmong([...program, ...args, ...codeIn([...args, ...Object.values(env)])], [cwd]);
}

/** The programs that print the secrets of a source, and their scripts. */
function credentialFiles(value: unknown): Promise<string[]> {
  const { command, cwd } = Object(value) as { command?: unknown; cwd?: unknown };
  if (!Array.isArray(command) || typeof cwd !== "string") return Promise.resolve([]);
  const words = command as string[];
  const [program = "", ...argv] = words;
  return filesAmong(
    [...(program.includes("/") ? [program] : []), ...argv, ...codeIn(words)],
    [cwd],
  );
}

function sourceCredentials(source: SourceConfig): unknown[] {
  const {
    token,
    key,
    credentials = {},
  } = source as {
    token?: unknown;
    key?: unknown;
    credentials?: Readonly<Record<string, unknown>>;
  };
  return [token, key, ...Object.values(credentials)];
}

function settingCredentials({ nats, http }: Config): unknown[] {
  return [nats?.key, ...Object.values(http?.tokens ?? {}).map(({ token }) => token)];
}

/** The manifest, and every file that its text names: the program and its scripts. */
async function manifestFiles({ manifest, cwd }: CommandSourceConfig): Promise<string[]> {
  const text = await readContent(manifest);
  const folders = cwd === undefined ? [dirname(manifest)] : [dirname(manifest), cwd];
  return [manifest, ...(await filesAmong(pathWords(String(text)), folders))];
}

/** The description, and the documents in its folder and below, because it may refer to them. */
async function descriptionFiles({ document, external }: OpenapiSourceConfig): Promise<string[]> {
  if (external !== true) return [document];
  return [document, ...(await filesBelow(dirname(document), /\.(?:ya?ml|json)$/))];
}

/** Lists the local files that determine what a source does. */
async function listSourceFiles(source: SourceConfig): Promise<string[]> {
  switch (source.kind) {
    case "cards":
      return filesBelow(source.folder, /\.(?:ya?ml|graphql)$/);
    case "command":
      return manifestFiles(source);
    case "openapi":
      return isAbsolute(source.document) ? descriptionFiles(source) : [];
    case "graphql":
      return [...(source.documents ?? []), ...(source.schema === undefined ? [] : [source.schema])];
    case "mcp":
      return serverFiles(source);
    case "nats":
      return [];
  }
}

/**
 * A digest of the local files that a source names. Cards, manifests, scripts and descriptions
 * determine what is run and where a token is sent, so they are trusted together with the
 * configured source.
 */
export async function filesDigest(source: SourceConfig): Promise<string> {
  const secrets = await Promise.all(sourceCredentials(source).map(credentialFiles));
  const paths = [...(await listSourceFiles(source)), ...secrets.flat()];
  if (paths.length > MAX_FILES) {
    throw fail(
      "VALIDATION",
      `A ${source.kind} source of more than ${MAX_FILES} files is not supported`,
    );
  }
  return contentDigest(paths);
}

/** A digest of the programs that print the secrets of a file's settings. */
export async function settingFilesDigest(config: Config): Promise<string> {
  return contentDigest((await Promise.all(settingCredentials(config).map(credentialFiles))).flat());
}

async function contentDigest(given: readonly string[]): Promise<string> {
  const paths = [...new Set(given)].toSorted();
  const hash = createHash("sha256");
  for (const path of paths) {
    const content = await readContent(path);
    hash.update(`${path}\n`).update(createHash("sha256").update(content).digest());
  }
  return hash.digest("hex");
}
