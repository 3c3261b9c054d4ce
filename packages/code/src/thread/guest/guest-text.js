import { guestCalls } from "./calls.js";
import { guestMain } from "./main.js";
import { guestNames } from "./names.js";
import { guestResults } from "./results.js";
import { guestValues } from "./values.js";

/** The code of the guest as an expression. Its functions know nothing but what they are given. */
export function guestText() {
  const parts = [guestNames, guestValues, guestResults, guestCalls];
  const given = parts.map((part) => `(${part.toString()})`).join(",");
  return `(function () { "use strict"; return (${guestMain.toString()})(${given}); })()`;
}
