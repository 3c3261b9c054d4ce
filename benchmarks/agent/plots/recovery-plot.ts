import { MODE_NAMES, modesIn, getRecovery } from "../figures/index.ts";
import type { Recovery } from "../figures/index.ts";
import { modes } from "../types.ts";
import type { Played, Variant } from "../types.ts";
import type { Bar } from "./bars.ts";
import { page } from "./page.ts";
import { panels } from "./panels.ts";

const ROOM = 210;

type Trouble = Exclude<Variant, "plain">;

const PANELS: readonly (readonly [Trouble, string])[] = [
  ["guess", "After a wrong first guess"],
  ["fault", "When GitHub fails"],
];

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toLocaleString("en", { maximumFractionDigits: digits });
  return `${value < 0 ? "−" : "+"}${text}`;
}

function barLabel({ tokens, calls, recovered, scenarios }: Recovery): string {
  const cost = `${signed(Math.round(tokens), 0)} · ${signed(calls, 1)} ${calls === 1 ? "call" : "calls"}`;
  return `${cost} · ${recovered} of ${scenarios}`;
}

function getBars(played: readonly Played[], trouble: Trouble): Bar[] {
  return modesIn(played, modes).flatMap((mode) => {
    const cost = getRecovery(played, mode, trouble);
    if (cost === undefined) return [];
    return [{ label: MODE_NAMES[mode], as: mode, value: cost.tokens, text: barLabel(cost) }];
  });
}

/** Plots the extra cost of a fault or a wrong guess in each mode, compared with the plain scenarios. */
export function recoveryPlot(played: readonly Played[]): string {
  const shown = PANELS.map(([trouble, title]) => ({ title, bars: getBars(played, trouble) }));
  return page({
    title: "Cost of recovery",
    subtitle:
      "Average extra tokens and calls, compared with the same scenarios without trouble; and how many passed",
    ...panels(shown, ROOM),
  });
}
