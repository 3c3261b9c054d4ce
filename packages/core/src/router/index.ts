export { AccountGate } from "./account-gate.ts";
export type { AccountLimit, LimitStore } from "./account-gate.ts";
export { attemptRoutes } from "./attempt-routes.ts";
export type { Routed } from "./attempt-log.ts";
export { DEFAULT_RETRY } from "./backoff.ts";
export type { RetryPolicy } from "./backoff.ts";
export { cardOperation } from "./card-operation.ts";
export type { CardKit } from "./card-kit.ts";
export type { CodeOperation } from "./code-operation.ts";
export { inputDigest } from "./digest.ts";
export type {
  Journal,
  JournalKey,
  JournalLease,
  JournalPeek,
  JournalProbe,
  JournalVerdict,
  UnknownWrite,
} from "./journal.ts";
export { judgeRecord, peekAt, resultOutcome } from "./judge-record.ts";
export type { JournalRecord, JournalRuling } from "./judge-record.ts";
export { keyConflict, runKeyed } from "./keyed-write.ts";
export type { ProbedWrite, SendHooks } from "./keyed-write.ts";
export { memoryJournal } from "./memory-journal.ts";
export { oneRouteOperation } from "./one-route.ts";
export type { OneRoute } from "./one-route.ts";
export { lateSkip } from "./preflight.ts";
export type {
  FoundSignature,
  ListApproval,
  ProgramCall,
  ProgramHost,
  ProgramLimits,
  ProgramRequest,
  ProgramRunner,
  ReplayedCall,
  WaitingList,
} from "./program.ts";
export { recordResult } from "./record-result.ts";
export { SendBatch } from "./send-batch.ts";
export type { BatchMember } from "./send-batch.ts";
export { knownRun } from "./known-run.ts";
export type { KnownRun } from "./known-run.ts";
export { attemptFor } from "./routed-operation.ts";
export { runForCallers } from "./run-for-callers.ts";
export type { AccountCaller, CallerRuns } from "./run-for-callers.ts";
export type {
  RequestedPage,
  RoutedOperation,
  SourceAccounts,
  VerifyHint,
  RoutedRequest,
} from "./routed-operation.ts";
export type { SteppedOperation } from "./stepped-operation.ts";
export type {
  Attempt,
  CardRoute,
  EnvironmentInfo,
  FactName,
  FactSource,
  FieldError,
  RouteAnswer,
  RouteChoice,
  Skip,
} from "./route.ts";
export { Timeline, roundMilliseconds } from "./timeline.ts";
export type { TimelineEntry } from "./timeline.ts";
export { compareVersions } from "./versions.ts";
