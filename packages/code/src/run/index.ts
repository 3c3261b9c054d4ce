export { codeText } from "./code-text.ts";
export { DEFAULT_LIMITS } from "./options.ts";
export type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";
export { readProgramCalls } from "./program-calls.ts";
export type { ProgramCalls } from "./program-calls.ts";
export { createCodeRunner, runCode } from "./runner.ts";
export type { CallOutline, CodeRunner, CodeRunnerOptions } from "./runner.ts";
