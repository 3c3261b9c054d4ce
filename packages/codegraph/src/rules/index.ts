export { checkRules } from "./check-rules.ts";
export { dependenciesOf } from "./dependency.ts";
export type { Dependency } from "./dependency.ts";
export { loadRules, parseRules, RULES_FILE } from "./load-rules.ts";
export { manifestsAbove, packageTypes } from "./package-types.ts";
export type { LayerRules, RuleSeverity, Violation } from "./rule.ts";
export { LayerRulesSchema } from "./rules-schema.ts";
export { suggestRules } from "./suggest-rules.ts";
export type { Suggestion } from "./suggest-rules.ts";
