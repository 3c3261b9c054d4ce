import type { CardFunctions } from "@waybill/core";

/** What cards name with `call`: pure, and only what data cannot say. */
export const functions: CardFunctions = {};
