// Every name here is a promise. What is not here may change without notice.
export { main } from "./cli.ts";
export type { ExitCode } from "./exit-codes.ts";
export type { Io } from "./io.ts";
