import { grid } from "../../lib/report.mjs";
import { SESSION_SIZES, getPlays, meanPrice, meanSeconds, modesIn } from "../figures/index.ts";
import type { AnyPlayed } from "../figures/index.ts";
import { count } from "./tables.ts";
import type { TableOptions } from "./tables.ts";

/** The column titles: `price, session of 1`, `of 3`, `of 10`. */
export function sessionNames(what: string): string[] {
  return SESSION_SIZES.map(({ size }, index) =>
    index > 0 ? `of ${size}` : `${what === "" ? "" : `${what}, `}session of ${size}`,
  );
}

/** Price units and seconds of an operation, by mode and by how many operations a session has. */
export function costTable(played: readonly AnyPlayed[], { order, nameOf }: TableOptions): string {
  const rows = modesIn(played, order).flatMap((mode) => {
    const plays = [...getPlays(played, mode).values()].filter(({ kind }) => kind !== "code");
    if (plays.length === 0) return [];
    const prices = SESSION_SIZES.map((session) => count(meanPrice(plays, session)));
    const seconds = SESSION_SIZES.map((session) => meanSeconds(plays, session).toFixed(1));
    return [[nameOf(mode), ...prices, ...seconds]];
  });
  return grid(["", ...sessionNames("price"), ...sessionNames("seconds")], rows);
}
