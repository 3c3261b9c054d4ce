export {
  CheckBudgetError,
  renewCheckBudget,
  spendCheckBudget,
  TOO_LARGE_TO_CHECK,
} from "./budget.ts";
export { isRegularExpression, loadPatternEngine, Pattern } from "./pattern.ts";
