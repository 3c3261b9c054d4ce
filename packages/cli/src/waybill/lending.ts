import { AsyncLocalStorage } from "node:async_hooks";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import type { OpenedWaybill, Served } from "./opened.ts";
import type { Wanted } from "./wanted.ts";

/** A Waybill that is open already. */
export interface LentWaybill extends Pick<OpenedWaybill, "waybill" | "opened"> {
  /** Gives it back. */
  readonly release: () => void;
}

export type LendWaybill = (
  io: Io,
  config: EffectiveConfig,
  wanted: Wanted,
  served: Served,
) => Promise<LentWaybill>;

/** Who lends Waybills to the command that runs now: the process of `waybill up`, or nobody. */
export const lending = new AsyncLocalStorage<LendWaybill>();
