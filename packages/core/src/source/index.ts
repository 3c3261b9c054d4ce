export { attachSource } from "./attach.ts";
export type { AttachedSource } from "./attach.ts";
export { lateSource } from "./late-source.ts";
export type { LateOperation, LateOperations } from "./late-source.ts";
export { localSource } from "./local-source.ts";
export type { Source, SourceProblem } from "./source.ts";
