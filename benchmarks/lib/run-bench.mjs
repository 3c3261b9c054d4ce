// @ts-check
import { run } from "../../scripts/run.mjs";

/**
 * Every suite, as `npm run bench` runs them, in processes of their own.
 * @param {{ quick: boolean }} options
 * @returns {number} the exit code: 0 when every suite ran, whatever its targets
 */
export function runBench({ quick }) {
  return run("npm", ["run", "--silent", "bench", ...(quick ? ["--", "--quick"] : [])]);
}
