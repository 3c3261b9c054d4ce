import { parseSync } from "oxc-parser";
import type { EcmaScriptModule, ParseResult, ParserOptions } from "oxc-parser";
import type { Language } from "../../graph/index.ts";
import { assignedExports, mayAssignExports } from "./assigned-exports.ts";
import { mayHaveCalls, moduleCalls } from "./calls.ts";
import { detectFileKind } from "../files/language.ts";
import type { ExportFact, GapFact, ModuleInfo, Request } from "./facts.ts";
import { Lines } from "./lines.ts";
import { filesNamedInCode } from "./named-files.ts";
import { RecordReader } from "./record.ts";
import { recoverRequests, syntaxGap } from "./recover.ts";
import { getScript, scriptSources } from "./scripts.ts";

/** The parser's options by language, because the file name does not always determine them. */
export function parserOptions(language: Language): ParserOptions {
  if (language === "typescript") return {};
  if (language === "javascript") return { lang: "jsx", sourceType: "unambiguous" };
  return { lang: language === "vue" ? "tsx" : "ts" };
}

/** The imports and exports of a JavaScript or TypeScript file. */
export function parseModule(
  path: string,
  language: Language,
  text: string,
  exotic?: readonly string[],
): ModuleInfo {
  const script = getScript(language, text);
  const lines = new Lines(text);
  const result = parseTolerantly(path, language, script);
  const [problem] = result.errors;
  const reader = new RecordReader(script, lines);
  const { module } = result;
  reader.read(module);
  if (mayHaveCalls(script, result, exotic)) {
    reader.readCalls(moduleCalls(result.program, exotic));
  }
  if (language === "javascript" && !module.hasModuleSyntax && mayAssignExports(script)) {
    reader.readAssigned(assignedExports(result.program));
  }
  if (isComponent(language)) reader.readSources(scriptSources(language, text));
  const { requests, exports: written, stars, gaps: unknown } = reader.finish();
  const kind = detectFileKind(path, language);
  const named = filesNamedInCode(path, kind, script, behindImports(script, module));
  const gaps = [...unknown, ...notImported(named, requests)];
  const exports = isComponent(language) ? withComponent(written) : written;
  const facts = { lines: lines.count, exports, stars };
  const hasExports = module.hasModuleSyntax || language !== "javascript";
  if (!problem) return { ...facts, hasExports, state: "parsed", requests, gaps };
  const line = lines.lineOf(problem.labels[0]?.start ?? 0);
  return {
    ...facts,
    hasExports: false,
    state: exports.length + requests.length > 0 ? "partial" : "failed",
    // Requests recovered from invalid code come last, because re-exports refer to requests by
    // position.
    requests: [...requests, ...recoverRequests(script, lines, requests)],
    gaps: [...gaps, syntaxGap(problem.message, line)],
  };
}

/**
 * The text after the leading imports. It is searched for names of files, and the files of imports
 * are known already.
 */
function behindImports(text: string, { staticImports }: EcmaScriptModule): string {
  let end = 0;
  for (const statement of staticImports) {
    if (/["'`(]/.test(text.slice(end, statement.start))) break;
    ({ end } = statement);
  }
  return text.slice(end);
}

function notImported(named: readonly GapFact[], requests: readonly Request[]): readonly GapFact[] {
  if (named.length === 0) return named;
  const imported = new Set(requests.map(({ specifier }) => specifier));
  return named.filter(({ text }) => !imported.has(text));
}

function isComponent(language: Language): boolean {
  return language === "vue" || language === "svelte" || language === "astro";
}

/** Adds the default export of a component file, which its script does not declare. */
function withComponent(exports: readonly ExportFact[]): readonly ExportFact[] {
  if (exports.some(({ name }) => name === "default")) return exports;
  return [...exports, { name: "default", line: 1, typeOnly: false }];
}

/** Parses JavaScript a second time with types, because it may contain Flow or TypeScript. */
function parseTolerantly(path: string, language: Language, script: string): ParseResult {
  const result = parseSync(path, script, parserOptions(language));
  if (result.errors.length === 0 || language === "typescript") return result;
  const again = parseSync(path, script, { lang: language === "javascript" ? "tsx" : "ts" });
  return again.errors.length < result.errors.length ? again : result;
}
