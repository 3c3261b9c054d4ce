import type { Language } from "./words.ts";

/** Languages whose symbols are known, but whose references are found only by name. */
const NAMED_LANGUAGES = [
  "java",
  "csharp",
  "rust",
  "ruby",
  "php",
  "c",
  "cpp",
  "kotlin",
] as const satisfies readonly Language[];
export type NamedLanguage = (typeof NAMED_LANGUAGES)[number];

/** The group of each language. Languages of a group can use each other's names. */
const FAMILIES: Readonly<Record<NamedLanguage, string>> = {
  java: "jvm",
  kotlin: "jvm",
  csharp: "csharp",
  rust: "rust",
  ruby: "ruby",
  php: "php",
  c: "c",
  cpp: "c",
};

/** Packages with a grammar, which users install if they need them. */
export const GRAMMAR_PACKAGES: Readonly<Partial<Record<string, string>>> = {
  kotlin: "@lumis-sh/wasm-kotlin",
};

export function isNamedLanguage(language: Language): language is NamedLanguage {
  return Object.hasOwn(FAMILIES, language);
}

export function namedFamily(language: NamedLanguage): string {
  return FAMILIES[language];
}
