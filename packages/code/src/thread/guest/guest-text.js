import { guestCalls } from "./calls.js";
import { guestMain } from "./main.js";
import { guestNames } from "./names.js";
import { guardPrimitives } from "./primitives.js";
import { guestResults } from "./results.js";
import { guestValues } from "./values.js";

/** The code inside the sandbox as one expression. Its functions use only their parameters. */
export function guestText() {
  const parts = [guestNames, guestValues, guestResults, guestCalls, guardPrimitives];
  const given = parts.map((part) => `(${part.toString()})`).join(",");
  return `(function () { "use strict"; return (${guestMain.toString()})(${given}); })()`;
}
