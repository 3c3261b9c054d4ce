import type { Task } from "../task.ts";
import { DAILY_ROUND } from "./daily.ts";
import { FINAL_ROUND } from "./final.ts";
import { FIRST_ROUND } from "./first.ts";
import { SECOND_ROUND } from "./second.ts";
import { THIRD_ROUND } from "./third.ts";
import { WEEKLY_ROUND } from "./weekly.ts";

/** The tasks of each round, by the name of the round. */
export const ROUNDS: Readonly<Record<string, readonly Task[]>> = {
  first: FIRST_ROUND,
  second: SECOND_ROUND,
  third: THIRD_ROUND,
  final: FINAL_ROUND,
  daily: DAILY_ROUND,
  weekly: WEEKLY_ROUND,
};
