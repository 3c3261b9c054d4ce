/**
 * The words of a graph. Each is stored as its position in the list, so new words go at the end. Any
 * other change needs a new FORMAT_VERSION.
 */
export const LANGUAGES = [
  "other",
  "typescript",
  "javascript",
  "vue",
  "svelte",
  "astro",
  "python",
  "go",
  "java",
  "csharp",
  "rust",
  "ruby",
  "php",
  "c",
  "cpp",
  "kotlin",
] as const;
export type Language = (typeof LANGUAGES)[number];

/** How much of a file was parsed. `skipped`: an unsupported language, or too large. */
export const PARSE_STATES = ["parsed", "partial", "failed", "skipped"] as const;
export type ParseState = (typeof PARSE_STATES)[number];

export const FILE_KINDS = [
  "module",
  "test",
  "declaration",
  "config",
  "story",
  "asset",
  "generated",
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export const SYMBOL_KINDS = [
  "module",
  "function",
  "class",
  "method",
  "constructor",
  "property",
  "accessor",
  "interface",
  "type",
  "enum",
  "enumMember",
  "variable",
  "constant",
  "namespace",
  "struct",
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** Kinds of edges between files. `package`: a name of the same package, used without an import. */
export const IMPORT_KINDS = [
  "import",
  "reexport",
  "dynamic",
  "require",
  "annotation",
  "package",
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Kinds of edges between symbols. `import`: an import or re-export of the symbol. */
export const USE_KINDS = ["call", "reference", "register", "inherit", "import"] as const;
export type UseKind = (typeof USE_KINDS)[number];

/**
 * `exact`: by the rules of the language. `declared`: correct if the declared types are. `likely`:
 * the only candidate with that name. A person's annotation is exact.
 */
export const CONFIDENCES = ["exact", "declared", "likely"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** How the text was resolved to the target. */
export const RESOLUTIONS = [
  "relative",
  "alias",
  "package",
  "workspace",
  "scope",
  "type",
  "inheritance",
  "convention",
  "annotation",
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const ENTRYPOINT_KINDS = ["route", "page", "command", "job", "package", "test"] as const;
export type EntrypointKind = (typeof ENTRYPOINT_KINDS)[number];

/** Kinds of gaps: something in a file that could not be read or resolved. */
export const GAP_KINDS = ["unresolved", "dynamic", "syntax", "unsupported", "unreadable"] as const;
export type GapKind = (typeof GAP_KINDS)[number];

/**
 * Why a name could not be resolved. `value`: the file does not declare it. `member`: read from a
 * value of unknown type. `key`: in an object of unknown type. `import`: from a module that was not
 * found. `text`: in a part of a file that is not parsed. `foreign`: read from a value whose type a
 * package declares. `heir`: the class of that name inherits from a package, so such a value may be
 * an instance of it. `dynamic`: a member with a computed name, read from a value with known members.
 * `dynamicModule`: the same if that value is a module or a plain object.
 */
export const UNRESOLVED_KINDS = [
  "value",
  "member",
  "key",
  "import",
  "text",
  "foreign",
  "heir",
  "dynamic",
  "dynamicModule",
] as const;

/** The name that stands for every name, for computed names and for text that was not read. */
export const ANY_NAME = "*";
export type UnresolvedKind = (typeof UNRESOLVED_KINDS)[number];
