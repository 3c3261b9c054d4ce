import type { FileKind, Language } from "../../graph/index.ts";
import type { ModuleInfo } from "../modules/facts.ts";
import type { Target } from "../resolve/resolver.ts";

/** A file of the tree with all that reading it alone, and resolving its requests, has told. */
export interface SourceFile {
  readonly path: string;
  readonly language: Language;
  readonly kind: FileKind;
  readonly mtimeMs: number;
  readonly bytes: number;
  readonly hashLow: number;
  readonly hashHigh: number;
  readonly facts: ModuleInfo;
  /** Where each of the facts' requests leads. */
  readonly targets: readonly Target[];
}
