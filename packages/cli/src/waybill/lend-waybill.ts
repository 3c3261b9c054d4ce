import { AsyncLocalStorage } from "node:async_hooks";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import type { OpenedWaybill, Served } from "./opened-waybill.ts";
import type { Wanted } from "./wanted-parts.ts";

/** A Waybill that is open already. */
interface LentWaybill extends Pick<OpenedWaybill, "waybill" | "opened"> {
  /** Returns the Waybill after the command has used it. */
  readonly release: () => void;
}

export type LendWaybill = (
  io: Io,
  config: EffectiveConfig,
  wanted: Wanted,
  served: Served,
) => Promise<LentWaybill>;

/** Lends open Waybills to commands. Set only in the process of `waybill up`. */
export const lending = new AsyncLocalStorage<LendWaybill>();
