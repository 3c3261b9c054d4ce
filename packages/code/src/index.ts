// Every name here is a promise. What is not here may change without notice.
export { DEFAULT_LIMITS, codeText, createCodeRunner, runCode } from "./run/index.ts";
export type {
  CodeHost,
  CodeLimits,
  CodeOptions,
  CodeRunner,
  CodeRunnerOptions,
} from "./run/index.ts";
export { fileRunLog, memoryRunLog } from "./log/index.ts";
export type { ClaimedRun, KeptCall, LogLine, RunId, RunLog, WriteRecord } from "./log/index.ts";
export { listMember, signatureText } from "./surface/index.ts";
