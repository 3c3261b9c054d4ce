import { join } from "node:path";
import { isNamedLanguage } from "../../graph/index.ts";
import type { Language } from "../../graph/index.ts";
import { isGenerated } from "../files/generated.ts";
import { detectFileKind, detectLanguage } from "../files/language.ts";
import { MAX_NESTING, MAX_SOURCE_BYTES, readSource } from "../files/read.ts";
import type { Unread } from "../files/read.ts";
import type { Stamp } from "../files/walk.ts";
import type { SourceFile } from "../link/source-file.ts";
import { parseNamed } from "../languages/named.ts";
import { parseGo } from "../languages/go.ts";
import { parsePython } from "../languages/python.ts";
import { NO_FACTS } from "./facts.ts";
import type { GapFact, ModuleInfo } from "./facts.ts";
import { filesNamedInText, mayNameFiles } from "./named-files.ts";
import { parseModule } from "./parse.ts";

/** A file whose requests are not resolved yet. */
export type ReadFile = Omit<SourceFile, "targets">;

const UNREAD: Readonly<Record<Unread, { kind: GapFact["kind"]; detail: string }>> = {
  "too large": { kind: "unsupported", detail: `larger than ${MAX_SOURCE_BYTES} bytes` },
  "too deep": { kind: "unsupported", detail: `brackets nest deeper than ${MAX_NESTING}` },
  binary: { kind: "unreadable", detail: "not a text file" },
  unreadable: { kind: "unreadable", detail: "could not be read" },
};

export interface ReadJob extends Stamp {
  /** Functions that are used like `require`. */
  readonly exotic?: readonly string[];
}

/** Reads and parses one file. A problem does not throw: the facts of the file name it. */
export async function readFile(root: string, job: ReadJob): Promise<ReadFile> {
  const { path, mtimeMs, size } = job;
  const language = detectLanguage(path);
  const file = { path, language, kind: detectFileKind(path, language), mtimeMs, bytes: size };
  if (language === "other")
    return { ...file, hashLow: 0, hashHigh: 0, facts: namedFilesInfo(root, job) };
  const source = size > MAX_SOURCE_BYTES ? "too large" : readSource(join(root, path));
  if (typeof source === "string") {
    return { ...file, hashLow: 0, hashHigh: 0, facts: unreadInfo(source) };
  }
  const { text, hashLow, hashHigh } = source;
  const facts = await moduleInfo(job, language, text);
  const kind =
    file.kind === "module" && isGenerated(path, text, facts.lines) ? "generated" : file.kind;
  return { ...file, kind, hashLow, hashHigh, facts: source.isUtf8 ? facts : garbled(facts) };
}

function namedFilesInfo(root: string, { path, size }: Stamp): ModuleInfo {
  const source = mayNameFiles(path, size) ? readSource(join(root, path)) : "unreadable";
  return typeof source === "string"
    ? NO_FACTS
    : { ...NO_FACTS, gaps: filesNamedInText(source.text) };
}

function unreadInfo(why: Unread): ModuleInfo {
  return { ...NO_FACTS, gaps: [{ ...UNREAD[why], line: 1, text: why }] };
}

function garbled(facts: ModuleInfo): ModuleInfo {
  const detail = "bytes that are not UTF-8 were replaced";
  const gap: GapFact = { kind: "unreadable", line: 1, text: "invalid UTF-8", detail };
  return { ...facts, state: "partial", gaps: [...facts.gaps, gap] };
}

async function moduleInfo(
  { path, exotic }: ReadJob,
  language: Language,
  text: string,
): Promise<ModuleInfo> {
  if (language === "python") return parsePython(path, text);
  if (language === "go") return parseGo(text);
  if (isNamedLanguage(language)) return parseNamed(language, text);
  return parseModule(path, language, text, exotic);
}
