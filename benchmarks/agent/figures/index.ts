export { compareModes } from "./compare-modes.ts";
export { MODE_NAMES, WAYBILL_MODES } from "./mode-names.ts";
export { recoveryOf } from "./recovery.ts";
export type { Recovery } from "./recovery.ts";
export { modesIn, playsOf, scenariosIn } from "./select.ts";
export type { AnyPlayed, PlayedBy, ScenarioFacts } from "./select.ts";
export { mean, percentile, sum } from "./statistics.ts";
