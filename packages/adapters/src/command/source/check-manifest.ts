import { CallError } from "@waybill/core";
import { isRecord, loadChecker } from "@waybill/core/schema";
import type { Issue, SourceProblem } from "@waybill/core";
import { placeholderNames } from "./argv-template.ts";
import type { CommandManifest, ManifestOperation } from "./manifest.ts";
import { ManifestOperationSchema, ManifestSchema } from "./manifest-schema.ts";

function issueSentence({ path, message, allowed }: Issue): string {
  const values = allowed === undefined ? "" : `: ${allowed.join(", ")}`;
  return `${path.slice(1).replaceAll("/", ".") || "it"} ${message}${values}`;
}

/** Finds inputs that are used but not described, or described but never used. */
function nameProblems({ argv, input = {}, stdin, required = [] }: ManifestOperation): string[] {
  const used = [...placeholderNames(argv), ...(stdin === undefined ? [] : [stdin])];
  const known = Object.keys(input);
  return [
    ...[...used, ...required]
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is used, but not described under input`),
    ...known
      .filter((name) => !used.includes(name))
      .map((name) => `the input ${name} is not used in argv or stdin`),
  ];
}

async function operationProblems(operation: unknown): Promise<string[]> {
  const schema = (await loadChecker()).compile(ManifestOperationSchema);
  if (!schema.check(operation)) return schema.issues(operation).map(issueSentence);
  return nameProblems(operation as ManifestOperation);
}

export interface CheckedManifest {
  readonly manifest: CommandManifest;
  readonly problems: readonly SourceProblem[];
}

/**
 * Returns the manifest with its valid operations. An invalid operation does not affect the others.
 * Throws if the value is not a manifest.
 */
export async function checkManifest(name: string, value: unknown): Promise<CheckedManifest> {
  const schema = (await loadChecker()).compile(ManifestSchema);
  if (!isRecord(value) || !schema.check(value)) {
    const issues = schema.issues(value);
    const message = `The manifest of ${name} is wrong: ${issues.map(issueSentence).join("; ")}`;
    throw new CallError("VALIDATION_ERROR", message, { issues });
  }
  const manifest = value as unknown as CommandManifest;
  const operations: Record<string, ManifestOperation> = {};
  const problems: SourceProblem[] = [];
  for (const [key, operation] of Object.entries(manifest.operations)) {
    const found = await operationProblems(operation);
    if (found.length === 0) operations[key] = operation;
    else problems.push({ source: name, operationId: `${name}.${key}`, message: found.join("; ") });
  }
  return { manifest: { ...manifest, operations }, problems };
}
