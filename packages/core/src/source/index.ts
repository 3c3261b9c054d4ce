export { attachSource } from "./attach.ts";
export type { AttachedSource, SourceProblem } from "./attach.ts";
export { localSource } from "./local-source.ts";
export type { Source } from "./source.ts";
