export { fileRunLog } from "./file-log.ts";
export { memoryRunLog } from "./memory-log.ts";
export { MAX_RUN_CHARS } from "./run-log.ts";
export type { ClaimedRun, KeptCall, LogLine, RunId, RunLog, WriteRecord } from "./run-log.ts";
