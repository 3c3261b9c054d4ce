// Every name here is a promise. What is not here may change without notice.
export { main } from "./cli.ts";
export { executeTask } from "./execute-task.ts";
export type { ExitCode } from "./exit-codes.ts";
export type { Io } from "./io.ts";
export type { PackCapabilities } from "./generated/pack-capabilities.ts";
