import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { fail } from "@waybill/core";
import { DOCUMENT_NAME, isSearchedFolder, readPlainFile } from "../files/index.ts";
import type { Config } from "./config.ts";
import { codeIn, filesAmong, filesNamedIn, isCode, pathWords, plainText } from "./named-files.ts";
import type {
  CommandSourceConfig,
  McpSourceConfig,
  OpenapiSourceConfig,
  SourceConfig,
} from "./source-config.ts";

const MAX_FILES = 5_000;
/** The maximum size of a file whose content is compared. Larger files are compared by their date. */
const MAX_BYTES = 128_000_000;

async function filesBelow(folder: string, kind: RegExp, way = ""): Promise<string[]> {
  const entries = await readdir(join(folder, way), { withFileTypes: true }).catch(() => []);
  const names = entries.map((entry) => ({ entry, inside: join(way, entry.name) }));
  const paths: string[] = [];
  for (const { inside } of names.filter(({ entry }) => entry.isDirectory())) {
    if (isSearchedFolder(inside)) paths.push(...(await filesBelow(folder, kind, inside)));
  }
  const files = names.filter(({ entry }) => kind.test(entry.name));
  return [...paths, ...files.map(({ inside }) => join(folder, inside))];
}

/** A file that Waybill cannot read is treated as empty, because the source cannot use it either. */
async function readContent(path: string): Promise<Buffer | string> {
  try {
    return await readPlainFile(path, MAX_BYTES);
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "EFBIG") return "";
    const { size, mtimeMs } = await stat(path);
    return `${size} bytes of ${mtimeMs}`;
  }
}

/**
 * The program, and the scripts that its arguments and variables name. Files that those scripts
 * load are not included.
 */
async function serverFiles({
  command,
  args = [],
  env = {},
  cwd,
}: McpSourceConfig): Promise<string[]> {
  if (command === undefined || cwd === undefined) return [];
  const program = command.includes("/") ? [command] : [];
  const texts = [...args, ...Object.values(env)];
  const plain = plainText(texts.join("\n"));
  const [words, named] = await Promise.all([
    filesAmong([...program, ...args, ...codeIn([...texts, plain])], [cwd]),
    filesNamedIn(plain, cwd),
  ]);
  return [...words, ...named.filter(isCode)];
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

/**
 * The manifest, and every file that its text names: the program and its scripts. They are looked
 * for beside the manifest and in the folder where the program runs.
 */
async function manifestFiles(
  { manifest, cwd }: CommandSourceConfig,
  folder: string,
): Promise<string[]> {
  const text = String(await readContent(manifest));
  const folders = [...new Set([dirname(manifest), cwd ?? folder])];
  const plain = plainText(text);
  const named = await Promise.all(folders.map((each) => filesNamedIn(plain, each)));
  return [manifest, ...(await filesAmong(pathWords(plain), folders)), ...named.flat()];
}

/** The description, and the documents in its folder and below, because it may refer to them. */
async function descriptionFiles({ document, external }: OpenapiSourceConfig): Promise<string[]> {
  if (external !== true) return [document];
  return [document, ...(await filesBelow(dirname(document), DOCUMENT_NAME))];
}

/** Lists the local files that determine what a source does. */
async function listSourceFiles(source: SourceConfig, folder: string): Promise<string[]> {
  switch (source.kind) {
    case "cards":
      return filesBelow(source.folder, /\.(?:ya?ml|graphql)$/);
    case "command":
      return manifestFiles(source, folder);
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
 * A digest of the local files that a source in a file of this folder names. Cards, manifests, scripts and descriptions
 * determine what is run and where a token is sent, so they are trusted together with the
 * configured source.
 */
export async function filesDigest(source: SourceConfig, folder: string): Promise<string> {
  const secrets = await Promise.all(sourceCredentials(source).map(credentialFiles));
  const paths = [...(await listSourceFiles(source, folder)), ...secrets.flat()];
  if (paths.length > MAX_FILES) {
    throw fail(
      "VALIDATION",
      `A ${source.kind} source of more than ${MAX_FILES} files is not supported; divide it into several sources`,
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
    // A folder, or a file that cannot be read.
    if (content.length === 0) continue;
    hash.update(`${path}\n`).update(createHash("sha256").update(content).digest());
  }
  return hash.digest("hex");
}
