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
export type { Wanted } from "./wanted.ts";
export type { Opened, OpenedWaybill, Served } from "./opened.ts";
export { lending } from "./lending.ts";
export type { LendWaybill } from "./lending.ts";
