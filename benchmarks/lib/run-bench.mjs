// @ts-check
import { run } from "../../scripts/run.mjs";

/**
 * Runs every suite with few rounds, so that `npm run benchmark` takes less than ten minutes.
 * @param {{ quick: boolean }} options
 * @returns {number} the exit code: 0 when every suite ran, whatever its targets
 */
export function runBench({ quick }) {
  return run("npm", ["run", "--silent", "bench", "--", quick ? "--quick" : "--short"]);
}
