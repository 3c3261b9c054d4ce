export { isTrue, looksOnlyAt, plainPath, readExpression, stepsNeeded } from "./expressions.ts";
export type { StepExpression } from "./expressions.ts";
export { orderSteps } from "./order.ts";
export type { Order } from "./order.ts";
export { prepareInput } from "./references.ts";
export type { PreparedInput } from "./references.ts";
export { STEP_SURROUNDINGS, nameSteps } from "./step.ts";
export type { ChainStep, NamedStep } from "./step.ts";
