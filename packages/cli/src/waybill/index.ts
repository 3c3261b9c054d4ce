export { collisionsOf, orUsageError, withSurroundings, withWaybill } from "./open-waybill.ts";
export { isAboutCode } from "./packs.ts";
export type { Opened } from "./open-waybill.ts";
