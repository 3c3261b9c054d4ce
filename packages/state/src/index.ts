// These names are the public API. Everything else may change without notice.
export {
  CONFIG_NAME,
  ConfigSchema,
  configToEdit,
  editSources,
  findProjectConfig,
  findUserConfig,
  loadConfig,
  parseConfig,
  nameProblem,
  openToolPins,
  readConfig,
  RESERVED_NAMES,
  settingsIn,
  trustCommand,
  trustConfig,
} from "./config/index.ts";
export type {
  AuditConfig,
  CallerLimitsConfig,
  CardsSourceConfig,
  CommandSourceConfig,
  CredentialConfig,
  GraphqlSourceConfig,
  HttpConfig,
  HttpLimitsConfig,
  HttpTokenConfig,
  McpSourceConfig,
  NatsConfig,
  NatsSourceConfig,
  OidcConfig,
  OpenapiSourceConfig,
  SourceConfig,
  SourceKind,
  Config,
  ConfigFile,
  EffectiveConfig,
  LoadConfigOptions,
  PolicyConfig,
  SeenTool,
  SourceOrigin,
  ToolPins,
  ToolPinsOptions,
  Trusted,
  UntrustedSource,
} from "./config/index.ts";
export { openAudit } from "./audit.ts";
export type { Audit, AuditOptions, RefusedCall } from "./audit.ts";
export { openApprovals } from "./approvals/index.ts";
export type { ApprovalsOptions } from "./approvals/index.ts";
export { Connections, DEFAULT_ACCOUNT, Seal } from "./connections/index.ts";
export type {
  Connection,
  KeyringEntry,
  OpenKeyring,
  SealKind,
  SealOptions,
  ValueStore,
} from "./connections/index.ts";
export { openHandleStore } from "./handles/index.ts";
export type { HandleInfo, HandlePart, HandleStore, HandleStoreOptions } from "./handles/index.ts";
export { openHistory } from "./history/index.ts";
export type {
  CallClient,
  CallSurface,
  History,
  HistoryFilter,
  HistoryMark,
  HistoryOptions,
  HistoryPage,
  HistoryQuery,
  HistoryTotals,
  RecordedCall,
  RecordedDetail,
  SourceTotals,
  TotalsQuery,
} from "./history/index.ts";
export { examineJournal, openJournal } from "./journal/index.ts";
export type { JournalOptions } from "./journal/index.ts";
export { jsonlLog } from "./jsonl-log.ts";
export type { JsonlLog, JsonlLogOptions } from "./jsonl-log.ts";
export { hasSqlite } from "./sqlite/index.ts";
export { traceObserver } from "./trace-observer.ts";
export type { SpanTracer, TracedSpan } from "./trace-observer.ts";
export { openLimits, openScopes } from "./limits/index.ts";
export type { ScopeStore } from "./limits/index.ts";
