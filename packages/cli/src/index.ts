// These names are the public API. Everything else may change without notice.
export { main } from "./cli.ts";
export { executeTask } from "./execute-task.ts";
export type { ExitCode } from "./exit-codes.ts";
export type { Io } from "./io.ts";
export type { PackCapabilities } from "./generated/pack-capabilities.ts";
