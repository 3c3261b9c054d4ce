import type { Task } from "../task.ts";
import { DAILY_ROUND } from "./daily.ts";
import { FINAL_ROUND } from "./final.ts";
import { FIRST_ROUND } from "./first.ts";
import { SECOND_ROUND } from "./second.ts";

/** Tasks by round. */
export const ROUNDS: Readonly<Record<string, readonly Task[]>> = {
  first: FIRST_ROUND,
  second: SECOND_ROUND,
  final: FINAL_ROUND,
  daily: DAILY_ROUND,
};
