export type { HistoryMark } from "./history-file.ts";
export { openHistory } from "./open-history.ts";
export type { History, HistoryOptions } from "./open-history.ts";
export type {
  CallClient,
  CallSurface,
  HistoryFilter,
  HistoryPage,
  HistoryQuery,
  HistoryTotals,
  RecordedCall,
  RecordedDetail,
  SourceTotals,
  TotalsQuery,
} from "./recorded.ts";
