import type { Words } from "../command.ts";
import type { Io } from "../io.ts";

/**
 * A terminal and `--brief` get text; everything else gets JSON. It has a file of its own, because
 * `explain` starts faster without the code that opens a Waybill.
 */
export function wantsJson({ switches }: Pick<Words, "switches">, { isTTY }: Io): boolean {
  return switches.has("json") || (!isTTY && !switches.has("brief"));
}
