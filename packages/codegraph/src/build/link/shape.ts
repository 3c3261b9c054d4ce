import type { ExportFact } from "../modules/facts.ts";
import type { SourceFile } from "./source-file.ts";

/** Whether two versions of a file export the same names from the same files. Lines may differ. */
export function hasSameShape(before: SourceFile, now: SourceFile): boolean {
  const [a, b] = [before.facts.exports, now.facts.exports];
  if (!hasSameFrame(before, now) || a.length !== b.length) return false;
  return a.every((fact, place) => isSameExport(before, fact, now, b[place]!));
}

/** Whether two versions of a file offer names to other files in the same ways, apart from named exports. */
export function hasSameFrame(before: SourceFile, now: SourceFile): boolean {
  const [a, b] = [before.facts, now.facts];
  if (a.hasExports !== b.hasExports || a.stars.length !== b.stars.length) return false;
  if (a.shared?.join() !== b.shared?.join() || a.bound?.join() !== b.bound?.join()) return false;
  return a.stars.every((star, place) => {
    const other = b.stars[place]!;
    const isSame = getOrigin(before, star.from) === getOrigin(now, other.from);
    return isSame && star.typeOnly === other.typeOnly;
  });
}

/** Whether an export has the same meaning in two versions of a file. */
export function isSameExport(
  before: SourceFile,
  fact: ExportFact,
  now: SourceFile,
  other: ExportFact,
): boolean {
  return (
    fact.name === other.name &&
    fact.typeOnly === other.typeOnly &&
    fact.imported === other.imported &&
    fact.assigned === other.assigned &&
    getOrigin(before, fact.from) === getOrigin(now, other.from) &&
    getOrigin(before, fact.orModule) === getOrigin(now, other.orModule)
  );
}

/** The target of a request, as text. */
function getOrigin({ targets }: SourceFile, request: number | undefined): string {
  const target = request === undefined ? undefined : targets[request];
  return target?.to === "file" ? `file ${target.path}` : (target?.to ?? "");
}
