import type { FileKind, Language } from "../../graph/index.ts";

const LANGUAGE_OF: Readonly<Record<string, Language>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  vue: "vue",
  svelte: "svelte",
  astro: "astro",
  py: "python",
  pyi: "python",
  go: "go",
  java: "java",
  cs: "csharp",
  rs: "rust",
  rb: "ruby",
  php: "php",
  c: "c",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
  kt: "kotlin",
  kts: "kotlin",
};

const DECLARATION = /\.d\.(?:[^/.]+\.)?[cm]?ts$/;
const TEST =
  /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\/|[._-](?:test|spec|e2e|cy|test-d)\.[^/]+$|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|cc|cpp)$|_spec\.rb$|Tests?\.(?:java|kt|cs|php)$|(?:^|\/)conftest\.py$/;
const STORY = /\.(?:stories|story)\.[^/]+$/;
const CONFIG = /(?:^|\/)(?:[^/]+\.config|\.[^/]+rc|gulpfile|Gruntfile|conf)\.[cm]?[jt]s$/;

function fileExtension(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") ? path.slice(dot + 1).toLowerCase() : "";
}

export function detectLanguage(path: string): Language {
  return LANGUAGE_OF[fileExtension(path)] ?? "other";
}

export function detectFileKind(path: string, language: Language): FileKind {
  if (language === "other") return "asset";
  if (DECLARATION.test(path)) return "declaration";
  if (STORY.test(path)) return "story";
  if (TEST.test(path)) return "test";
  return CONFIG.test(path) ? "config" : "module";
}

const OTHER_CODE = /\.(?:clj|dart|erl|ex|exs|fs|hs|jl|lua|m|ml|mm|nim|pl|scala|swift|vb|zig)$/u;

/** Whether a file is code in a language that is not supported. */
export function isOtherCode(path: string): boolean {
  return OTHER_CODE.test(path);
}
