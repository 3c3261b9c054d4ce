import type { CardFunctions } from "@waybill/core";
import { mergeFunctions } from "./merge.ts";

/** What cards name with `call`: pure, and only what data cannot say. */
export const functions: CardFunctions = { ...mergeFunctions };
