import { targetOf } from "./packages.ts";
import type { Package, SourceFile } from "./packages.ts";

/** One line for each import that closes a circle of files. */
export function cycleViolations({ sources }: Package): string[] {
  const files = new Map(sources.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];

  const visit = (file: SourceFile, trail: readonly string[]): void => {
    const path = [...trail, file.path];
    for (const imported of file.imports) {
      const target = files.get(targetOf(file, imported) ?? "");
      if (!target || done.has(target.path)) continue;
      const start = path.indexOf(target.path);
      if (start < 0) visit(target, path);
      else found.push(circle(file, imported.line, [...path.slice(start), target.path]));
    }
    done.add(file.path);
  };

  for (const file of sources) if (!done.has(file.path)) visit(file, []);
  return found;
}

function circle(file: SourceFile, line: number, path: readonly string[]): string {
  return `${file.path}:${line} closes a circle of imports: ${path.join(" → ")}`;
}
