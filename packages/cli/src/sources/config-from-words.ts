import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { SourceConfig, SourceKind } from "@waybill/state";
import type { Words } from "../command.ts";
import { givenOptions, listValue } from "../words/option-values.ts";
import { UsageError, unknownWord } from "../words/usage-error.ts";
import { credentialsFrom } from "./token-schemes.ts";

/** Makes a path relative to the file that it is written into. */
type FromFile = (path: string) => string;

type FromWords = (words: Words, place: string, rest: readonly string[], from: FromFile) => object;

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Adds `./`, so that a path to a program does not look like a command name. */
function dotted(path: string): string {
  return path.startsWith(".") ? path : `./${path}`;
}

function getToken({ values }: Words): { env: string } | undefined {
  const env = values.get("token-env");
  return env === undefined ? undefined : { env };
}

function mayBePrivate({ switches }: Words): true | undefined {
  return switches.has("allow-private") || undefined;
}

function openapi(words: Words, place: string, _rest: readonly string[], from: FromFile): object {
  const names = listValue(words, "token-env");
  return {
    document: isUrl(place) ? place : from(place),
    server: words.values.get("server"),
    credentials: names && credentialsFrom(names),
    hosts: listValue(words, "hosts"),
    allow_private: mayBePrivate(words),
  };
}

function mcp(words: Words, place: string, rest: readonly string[], from: FromFile): object {
  const trusted = words.switches.has("trusted") || undefined;
  const token = getToken(words);
  if (isUrl(place)) {
    const headers = token && { authorization: `Bearer \${env:${token.env}}` };
    return { url: place, headers, trusted, allow_private: mayBePrivate(words) };
  }
  const names = listValue(words, "env")?.map((name) => [name, `\${env:${name}}`] as const);
  const env = names && Object.fromEntries(names);
  const program = place.startsWith(".") ? dotted(from(place)) : place;
  return { command: program, args: rest.length === 0 ? undefined : rest, env, trusted };
}

function graphql(words: Words, place: string, _rest: readonly string[], from: FromFile): object {
  const schema = words.values.get("schema");
  return {
    url: place,
    schema: schema === undefined ? undefined : from(schema),
    documents: listValue(words, "documents")?.map(from),
    persisted: words.values.get("persisted"),
    subscriptions_url: words.values.get("subscriptions-url"),
    token: getToken(words),
    allow_private: mayBePrivate(words),
  };
}

function command(_words: Words, place: string, _rest: readonly string[], from: FromFile): object {
  return { manifest: from(place) };
}

function cards(words: Words, place: string, _rest: readonly string[], from: FromFile): object {
  const baseUrl = words.values.get("base-url");
  const url = words.values.get("graphql-url");
  return {
    folder: from(place),
    rest: baseUrl === undefined ? undefined : { baseUrl },
    graphql: url === undefined ? undefined : { url },
    token: getToken(words),
    allow_private: mayBePrivate(words),
  };
}

function nats(words: Words, place: string): object {
  return { url: place, key: getToken(words) };
}

const KINDS: Readonly<Record<SourceKind, FromWords>> = {
  openapi,
  mcp,
  graphql,
  command,
  cards,
  nats,
};

/** The options of each kind of source. Any other option is an error. */
const OPTIONS: Readonly<Record<SourceKind, readonly string[]>> = {
  openapi: ["token-env", "server", "hosts", "allow-private"],
  mcp: ["token-env", "env", "trusted", "import", "allow-private", "timeout"],
  graphql: ["token-env", "schema", "documents", "persisted", "subscriptions-url", "allow-private"],
  command: [],
  cards: ["token-env", "base-url", "graphql-url", "allow-private"],
  nats: ["token-env"],
};
const COMMON = ["name", "user", "replace"];

/** A well-known source that is added by its name alone. */
async function knownSource(word: string | undefined): Promise<SourceConfig | undefined> {
  if (word === undefined || Object.hasOwn(KINDS, word)) return undefined;
  const { KNOWN_SOURCES } = await import("./known-sources.ts");
  if (Object.hasOwn(KNOWN_SOURCES, word)) return KNOWN_SOURCES[word]!.config;
  const names = [...Object.keys(KINDS), ...Object.keys(KNOWN_SOURCES)];
  const message = `${JSON.stringify(word)} is not a kind of source, and not the name of a known one`;
  throw await unknownWord(
    message,
    word,
    names,
    "Run waybill source known, or waybill help source add",
  );
}

async function parseSourceKind(word: string | undefined): Promise<SourceKind> {
  const kinds = Object.keys(KINDS) as SourceKind[];
  const kind = kinds.find((known) => known === word);
  if (kind !== undefined) return kind;
  const hint = "waybill help source add";
  const message = `A source is one of ${kinds.join(", ")}`;
  if (word === undefined) throw new UsageError(message, { hint });
  throw await unknownWord(`${message}, not ${JSON.stringify(word)}`, word, kinds, hint);
}

function refuseStray({ values, switches }: Words, kind: SourceKind): void {
  const known = new Set([...COMMON, ...OPTIONS[kind]]);
  const stray = [...values.keys(), ...switches].find((name) => !known.has(name));
  if (stray === undefined) return;
  throw new UsageError(`--${stray} does not apply to a ${kind} source`, {
    hint: "waybill help source add",
  });
}

function refuseExtra(kind: SourceKind, rest: readonly string[]): void {
  if (kind === "mcp" || rest.length === 0) return;
  throw new UsageError(
    `A source of kind ${kind} takes one file, URL or program; leave out ${JSON.stringify(rest[0])}`,
  );
}

/** The settings of a source from the command line, as they are written into a file. */
export async function configFromWords(
  words: Words,
  cwd: string,
  folder: string,
): Promise<SourceConfig> {
  const [word, place, ...rest] = words.positionals;
  const known = place === undefined ? await knownSource(word) : undefined;
  if (known !== undefined) return known;
  const kind = await parseSourceKind(word);
  if (place === undefined) {
    throw new UsageError(`waybill source add ${kind} needs a file, URL or program`, {
      hint: "waybill help source add",
    });
  }
  refuseStray(words, kind);
  refuseExtra(kind, rest);
  const from: FromFile = (path) => {
    const whole = resolve(cwd, path);
    if (!existsSync(whole)) {
      const hint = "Pass a path relative to the current folder";
      throw new UsageError(`There is no ${path}`, { hint });
    }
    return relative(folder, whole) || ".";
  };
  const settings: Record<string, unknown> = givenOptions({
    ...KINDS[kind](words, place, rest, from),
  });
  return { kind, ...settings } as SourceConfig;
}
