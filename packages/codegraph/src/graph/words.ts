/**
 * The words of a graph. Each list is stored as the position in it, so a list only ever grows at
 * its end; changing one otherwise takes a new FORMAT_VERSION.
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

/** How much of a file was understood: `skipped` is a language or a size that is not parsed. */
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

/** Between files. `package`: a name of the same package, which is used without an import. */
export const IMPORT_KINDS = [
  "import",
  "reexport",
  "dynamic",
  "require",
  "annotation",
  "package",
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Between symbols. `import`: an import or a re-export names it. */
export const USE_KINDS = ["call", "reference", "register", "inherit", "import"] as const;
export type UseKind = (typeof USE_KINDS)[number];

/**
 * `exact`: the language's own rules say so. `declared`: true if the declared types are.
 * `likely`: one candidate by name. A person's annotation is exact.
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

/** Kinds of facts that the graph knows to be missing. */
export const GAP_KINDS = ["unresolved", "dynamic", "syntax", "unsupported", "unreadable"] as const;
export type GapKind = (typeof GAP_KINDS)[number];

/**
 * Why nobody can tell what a name stands for. `value`: nothing in the file declares it. `member`: it
 * is read from a value of unknown type. `key`: an object of unknown type has it. `import`: it is taken
 * from a module that was not found. `text`: it stands in a part of a file that is not parsed.
 * `foreign`: it is read from a value whose type a package declares. `heir`: the class of that name
 * inherits from a package, so that such a value may be one of it. `dynamic`: a member whose name is
 * computed is read from something whose members are known. `dynamicModule`: that is a module or a
 * plain object, so the name may be one that a module declares.
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

/** The name of whatever a computed name stands for, and of all that an unread text may mention. */
export const ANY_NAME = "*";
export type UnresolvedKind = (typeof UNRESOLVED_KINDS)[number];
