export { briefText, briefToolText } from "./brief-text.ts";
export type { BriefTextOptions } from "./brief-text.ts";
export { SEPARATOR } from "./cell.ts";
export { errorLine } from "./error-line.ts";
export { parseBrief, parseBriefChain } from "./parse-brief.ts";
export type { ParsedBrief, ParsedBriefChain } from "./parse-brief.ts";
export { isStandingWarning } from "./standing-warnings.ts";
