export type { CapabilityListItem, OperationCardSummary } from "./explain.ts";
export type { CallRecord, Observer } from "./observer.ts";
export type { ExecuteOptions } from "./options.ts";
export { createWaybill } from "./waybill.ts";
export type { ListCapabilitiesOptions, WatchOptions, Waybill, WaybillOptions } from "./waybill.ts";
