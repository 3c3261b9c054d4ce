import type { CardFunctions } from "@waybill/core";
import { issueFunctions } from "./issues.ts";
import { peopleFunctions } from "./people.ts";

/** What cards name with `call`: pure, and only what data cannot say. */
export const functions: CardFunctions = { ...issueFunctions, ...peopleFunctions };
