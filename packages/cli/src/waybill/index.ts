export {
  readCollisions,
  openWaybill,
  orUsageError,
  withSurroundings,
  withWaybill,
} from "./open-waybill.ts";
export { openCode } from "./open-code.ts";
export type { OpenedCode } from "./open-code.ts";
export { isAboutCode } from "./packs.ts";
export type { Wanted } from "./wanted-parts.ts";
export type { Opened, OpenedWaybill, Served } from "./opened-waybill.ts";
export { lending } from "./lend-waybill.ts";
export type { LendWaybill } from "./lend-waybill.ts";
