export { checkRules } from "./check-rules.ts";
export { loadRules, parseRules } from "./load-rules.ts";
export { manifestsAbove } from "./package-types.ts";
export type { LayerRules, Violation } from "./rule.ts";
export { LayerRulesSchema } from "./rules-schema.ts";
export { suggestRules } from "./suggest-rules.ts";
export { unmatchedPatterns } from "./unmatched.ts";
