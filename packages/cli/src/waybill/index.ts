export { orUsageError, withSurroundings, withWaybill } from "./open-waybill.ts";
export type { Opened } from "./open-waybill.ts";
