import type { NamedLanguage } from "../../graph/index.ts";
import type { SyntaxNode } from "./grammars.ts";

const QUOTED = /["'<]([^"'<>]+)["'>]/;

/** The specifiers of an import, read from its text. */
export function specifiersIn(language: NamedLanguage, node: SyntaxNode): string[] {
  const { text } = node;
  switch (language) {
    case "java":
    case "kotlin":
      return importedNames(text, /^import\s+(?:static\s+)?([\w.]+(?:\.\*)?)/);
    case "csharp":
      return importedNames(text, /^(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)/);
    case "rust":
      return rustPaths(text);
    case "ruby":
      return importedNames(text, /^require(?:_relative)?\s*\(?\s*["']([^"'#]+)["']/).map((path) =>
        text.startsWith("require_relative") ? `./${path}` : path,
      );
    case "php":
      return phpPaths(node.type, text);
    default:
      return importedNames(text, /^#\s*include\s*(["<][^">]+)/).map((path) =>
        path.startsWith('"') ? `./${path.slice(1)}` : path.slice(1),
      );
  }
}

function importedNames(text: string, pattern: RegExp): string[] {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? [] : [found];
}

function phpPaths(type: string, text: string): string[] {
  if (type === "namespace_use_clause") return importedNames(text, /^\\?([\w\\]+)/);
  const path = QUOTED.exec(text)?.[1];
  return path === undefined ? [] : [`./${path.replace(/^\//, "")}`];
}

const MAX_PATHS = 200;

/** `use a::{b, c::D}` contains two paths; `mod x;` refers to a neighbouring file. */
function rustPaths(text: string): string[] {
  const module = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(text)?.[1];
  if (module !== undefined) return [`self::${module}`];
  const use = /^(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+)/.exec(text)?.[1];
  return use === undefined ? [] : expand(use.replaceAll(/\s+/g, "")).slice(0, MAX_PATHS);
}

function expand(path: string, depth = 0): string[] {
  const open = path.indexOf("{");
  if (open < 0 || depth > 8) return [path.replace(/(?:::\*|as\w+)$/, "")];
  const before = path.slice(0, open);
  const inner = path.slice(open + 1, path.lastIndexOf("}"));
  return parts(inner).flatMap((part) => expand(before + part, depth + 1));
}

/** Splits a list. A nested list counts as one part. */
function parts(text: string): string[] {
  const found: string[] = [];
  let [start, depth] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if ((text[at] === "," && depth === 0) || at === text.length) {
      if (at > start) found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return found;
}
