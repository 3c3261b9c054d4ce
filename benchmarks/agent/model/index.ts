export { modelCommand } from "./command.ts";
export type { Asked, ModelBenchmark, ModelOutput } from "./command.ts";
