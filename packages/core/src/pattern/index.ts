export {
  CheckBudgetError,
  isCheckBudgetSpent,
  renewCheckBudget,
  spendCheckBudget,
  TOO_LARGE_TO_CHECK,
} from "./budget.ts";
export {
  isPatternEngineLoaded,
  isRegularExpression,
  loadPatternEngine,
  Pattern,
  readingCost,
} from "./pattern.ts";
