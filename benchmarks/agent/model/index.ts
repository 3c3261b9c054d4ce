export { modelCommand } from "./command.ts";
export type { Asked, ModelBenchmark } from "./command.ts";
