// These names are the public API. Everything else may change without notice.
export {
  DEFAULT_LIMITS,
  codeText,
  createCodeRunner,
  readProgramCalls,
  runCode,
} from "./run/index.ts";
export type {
  CallOutline,
  CodeHost,
  CodeLimits,
  CodeOptions,
  CodeRunner,
  CodeRunnerOptions,
  ProgramCalls,
} from "./run/index.ts";
export { fileRunLog, memoryRunLog } from "./log/index.ts";
export type { ClaimedRun, KeptCall, LogLine, RunId, RunLog, WriteRecord } from "./log/index.ts";
export { savedCard } from "./save/index.ts";
export type { RanProgram } from "./save/index.ts";
export { listMember, resultSchema, signatureText } from "./surface/index.ts";
