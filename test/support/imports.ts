import { readFileSync } from "node:fs";
import { Visitor, parseSync } from "oxc-parser";
import type { Program } from "oxc-parser";

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

interface SourceLiteral {
  readonly type: string;
  readonly value?: unknown;
  readonly start: number;
}

interface Sourced {
  readonly source: SourceLiteral | null;
}

/** Every module a file names: imports, re-exports, `import()` and `import("…")` types. */
export function readImports(path: string): Import[] {
  const text = readFileSync(path, "utf8");
  const found: Import[] = [];
  const add = ({ source }: Sourced): void => {
    if (typeof source?.value !== "string") return;
    found.push({ specifier: source.value, line: lineAt(text, source.start) });
  };
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(parseProgram(path, text));
  return found;
}

function parseProgram(path: string, text: string): Program {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  return program;
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The package a bare specifier belongs to, or undefined for a relative one. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("/")) return undefined;
  const segments = specifier.split("/");
  return segments.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
