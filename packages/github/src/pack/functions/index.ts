import type { CardFunctions } from "@waybill/core/cards";
import { assigneeFunctions } from "./assignees.ts";
import { blameFunctions } from "./blame.ts";
import { checkFunctions } from "./checks.ts";
import { commitFunctions } from "./commits.ts";
import { diffFunctions } from "./diff.ts";
import { discussionFunctions } from "./discussions.ts";
import { fileFunctions } from "./files.ts";
import { issueFunctions } from "./issues.ts";
import { listQueryFunctions } from "./list-queries.ts";
import { logFunctions } from "./logs.ts";
import { mergeFunctions } from "./merge.ts";
import { peopleFunctions } from "./people.ts";
import { probeFunctions } from "./probes.ts";
import { reactionFunctions } from "./reactions.ts";
import { restCheckFunctions } from "./rest-checks.ts";
import { runErrorFunctions } from "./run-errors.ts";

/**
 * The functions that cards use with `call`. They are pure, and do only what data cannot express.
 */
export const functions: CardFunctions = {
  ...assigneeFunctions,
  ...blameFunctions,
  ...checkFunctions,
  ...commitFunctions,
  ...diffFunctions,
  ...discussionFunctions,
  ...fileFunctions,
  ...issueFunctions,
  ...listQueryFunctions,
  ...logFunctions,
  ...mergeFunctions,
  ...peopleFunctions,
  ...probeFunctions,
  ...reactionFunctions,
  ...restCheckFunctions,
  ...runErrorFunctions,
};
