export { orUsageError, withSurroundings, withWaybill } from "./open-waybill.ts";
