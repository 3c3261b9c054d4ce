import type { CardFunctions } from "@waybill/core";
import { issueFunctions } from "./issues.ts";

/** What cards name with `call`: pure, and only what data cannot say. */
export const functions: CardFunctions = { ...issueFunctions };
