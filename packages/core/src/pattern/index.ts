export { PatternBudgetError, renewPatternBudget, TOO_LARGE_FOR_PATTERNS } from "./budget.ts";
export { isRegularExpression, loadPatternEngine, Pattern } from "./pattern.ts";
