export { orUsageError, withWaybill } from "./open-waybill.ts";
