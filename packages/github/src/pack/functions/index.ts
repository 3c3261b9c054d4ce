import type { CardFunctions } from "@waybill/core";
import { checkFunctions } from "./checks.ts";
import { commitFunctions } from "./commits.ts";
import { diffFunctions } from "./diff.ts";
import { fileFunctions } from "./files.ts";
import { mergeFunctions } from "./merge.ts";
import { peopleFunctions } from "./people.ts";
import { reactionFunctions } from "./reactions.ts";

/** What cards name with `call`: pure, and only what data cannot say. */
export const functions: CardFunctions = {
  ...checkFunctions,
  ...commitFunctions,
  ...diffFunctions,
  ...fileFunctions,
  ...mergeFunctions,
  ...peopleFunctions,
  ...reactionFunctions,
};
