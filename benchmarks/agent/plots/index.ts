import type { Played } from "../types.ts";
import { callsPlot } from "./calls-plot.ts";
import { recoveryPlot } from "./recovery-plot.ts";
import { summaryPlot } from "./summary-plot.ts";
import { tokensPlot } from "./tokens-plot.ts";

/** Every chart of a run, by its file name in `docs/images`. */
export function plots(all: readonly Played[]): Readonly<Record<string, string>> {
  // Tasks over many items have their own chart, because they take a hundred times as many tokens.
  const played = all.filter(({ kind }) => kind !== "bulk");
  return {
    "benchmark-summary.svg": summaryPlot(all),
    "benchmark-tokens.svg": tokensPlot(played),
    "benchmark-calls.svg": callsPlot(played),
    "benchmark-recovery.svg": recoveryPlot(played),
  };
}
