import type { Words } from "../command.ts";
import type { Io } from "../io.ts";

/**
 * A terminal and `--brief` get text; everything else gets JSON. This function has its own file so
 * that `explain` starts faster: it does not load the code that opens a Waybill.
 */
export function wantsJson({ switches }: Pick<Words, "switches">, { isTTY }: Io): boolean {
  return switches.has("json") || (!isTTY && !switches.has("brief"));
}
