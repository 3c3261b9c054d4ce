import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CallError, loadChecker } from "@waybill/core";
import type { Issue } from "@waybill/core";
import { ConfigSchema } from "./config-schema.ts";
import type { CardsSourceConfig, Config, ConfigFile } from "./config.ts";

function refuse(path: string, problem: string, issues: readonly Issue[] = []): CallError {
  const details = issues.length === 0 ? {} : { issues };
  return new CallError("VALIDATION_ERROR", `${path}: ${problem}`, details);
}

function sentence({ path, message, did_you_mean, allowed }: Issue): string {
  const place = path === "" ? "the file" : path;
  if (did_you_mean !== undefined) return `${place} ${message}; did you mean ${did_you_mean}?`;
  return allowed === undefined
    ? `${place} ${message}`
    : `${place} ${message}: ${allowed.join(", ")}`;
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    const why = code === "ENOENT" ? "there is no such file" : `cannot be read (${String(code)})`;
    throw refuse(path, why);
  }
}

function parse(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : "it is not UTF-8 text";
    throw refuse(path, `is not JSON: ${why}`);
  }
}

/** Both are read later as addresses, where a bad one could no longer be traced to its file. */
function urlIssues(config: Config): Issue[] {
  return Object.entries(config.sources ?? {}).flatMap(([name, { rest, graphql }]) => {
    const urls = { "rest/baseUrl": rest?.baseUrl, "graphql/url": graphql?.url };
    return Object.entries(urls)
      .filter(([, url]) => url !== undefined && !URL.canParse(url))
      .map(([key]) => ({ path: `/sources/${name}/${key}`, message: "is no URL" }));
  });
}

async function check(path: string, value: unknown): Promise<Config> {
  const schema = (await loadChecker()).compile(ConfigSchema);
  const issues = schema.check(value) ? urlIssues(value as Config) : schema.issues(value);
  if (issues.length === 0) return value as Config;
  throw refuse(path, issues.map(sentence).join("; "), issues);
}

/** Relative paths in a file are relative to it, wherever the command is run. */
function withAbsolutePaths(config: Config, folder: string): Config {
  const sources: Record<string, CardsSourceConfig> = {};
  for (const [name, source] of Object.entries(config.sources ?? {})) {
    sources[name] = { ...source, folder: resolve(folder, source.folder) };
  }
  const { state } = config;
  return { ...config, sources, ...(state !== undefined && { state: resolve(folder, state) }) };
}

/** Reads one file and checks it. Throws a CallError that names the file and what is wrong where. */
export async function readConfig(path: string): Promise<ConfigFile> {
  const bytes = await readBytes(path);
  const config = await check(path, parse(path, bytes));
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { path, digest, config: withAbsolutePaths(config, dirname(path)) };
}
