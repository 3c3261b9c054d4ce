import type { SourceFile } from "./source-file.ts";

/** Whether two states of a file offer the same names from the same places; lines may differ. */
export function hasSameShape(before: SourceFile, now: SourceFile): boolean {
  const [a, b] = [before.facts, now.facts];
  if (a.hasExports !== b.hasExports) return false;
  if (a.shared?.join() !== b.shared?.join()) return false;
  if (a.exports.length !== b.exports.length || a.stars.length !== b.stars.length) return false;
  return (
    a.exports.every((fact, place) => {
      const other = b.exports[place]!;
      return (
        fact.name === other.name &&
        fact.typeOnly === other.typeOnly &&
        fact.imported === other.imported &&
        originOf(before, fact.from) === originOf(now, other.from)
      );
    }) &&
    a.stars.every((star, place) => {
      const other = b.stars[place]!;
      const isSame = originOf(before, star.from) === originOf(now, other.from);
      return isSame && star.typeOnly === other.typeOnly;
    })
  );
}

/** Where a request leads, as a text. */
function originOf({ targets }: SourceFile, request: number | undefined): string {
  const target = request === undefined ? undefined : targets[request];
  return target?.to === "file" ? `file ${target.path}` : (target?.to ?? "");
}
