import type { CardFunctions } from "@waybill/core";
import { logFunctions } from "./logs.ts";

/** What cards name with `call`: pure, and only what data cannot say. */
export const functions: CardFunctions = { ...logFunctions };
