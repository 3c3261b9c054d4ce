import type { FileKind, Language } from "../../graph/index.ts";
import type { ModuleInfo } from "../modules/facts.ts";
import type { Target } from "../resolve/resolver.ts";

/** A file with its facts and its resolved requests. */
export interface SourceFile {
  readonly path: string;
  readonly language: Language;
  readonly kind: FileKind;
  readonly mtimeMs: number;
  readonly bytes: number;
  readonly hashLow: number;
  readonly hashHigh: number;
  readonly facts: ModuleInfo;
  /** The target of each request in the facts. */
  readonly targets: readonly Target[];
}
