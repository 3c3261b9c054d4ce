export { collisionsOf, orUsageError, withSurroundings, withWaybill } from "./open-waybill.ts";
export { openCode } from "./open-code.ts";
export type { OpenedCode } from "./open-code.ts";
export { isAboutCode } from "./packs.ts";
export type { Opened } from "./open-waybill.ts";
