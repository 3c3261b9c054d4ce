export { modelCommand } from "./command.ts";
export type { ModelBenchmark } from "./command.ts";
export type { Asked } from "./verdict.ts";
