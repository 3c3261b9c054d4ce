import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import type { EcmaScriptModule, Program, StaticExportEntry } from "oxc-parser";
import type { Package } from "./packages.ts";

export interface PublicNames {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** The exports of each entry of a package, by import name. */
export function publicNames(pack: Package): Record<string, PublicNames> {
  return Object.fromEntries(
    entries(pack).map(({ name, path }) => {
      const { staticExports } = parseEntry(pack, path).module;
      const exported = staticExports.flatMap((statement) => statement.entries);
      return [name, { values: names(exported, false), types: names(exported, true) }];
    }),
  );
}

/** A star export would make every new name public by accident. */
export function starViolations(pack: Package): string[] {
  const sentence = "exports everything of a module: public names are listed one by one";
  return entries(pack).flatMap(({ path }) => {
    const { text, program } = parseEntry(pack, path);
    const stars = program.body.filter((node) => node.type === "ExportAllDeclaration");
    return stars
      .filter((star) => star.exported === null)
      .map((star) => `${path}:${lineAt(text, star.start)} ${sentence}`);
  });
}

function entries(pack: Package): { name: string; path: string }[] {
  return Object.entries(pack.manifest.exports ?? {}).flatMap(([entry, target]) => {
    const source = findSource(target);
    if (source === undefined) return [];
    return [{ name: pack.manifest.name + entry.slice(1), path: join(pack.path, source) }];
  });
}

function findSource(target: unknown): string | undefined {
  if (typeof target !== "object" || target === null) return undefined;
  const source: unknown = Reflect.get(target, "@waybill/source");
  return typeof source === "string" ? source : undefined;
}

interface ParsedEntry {
  readonly text: string;
  readonly program: Program;
  readonly module: EcmaScriptModule;
}

function parseEntry(pack: Package, path: string): ParsedEntry {
  const text = readFileSync(join(pack.root, path), "utf8");
  const { program, module } = parseSync(path, text);
  return { text, program, module };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function names(exported: readonly StaticExportEntry[], types: boolean): string[] {
  return exported
    .filter((entry) => entry.isType === types)
    .map((entry) => entry.exportName.name ?? "default")
    .toSorted();
}
