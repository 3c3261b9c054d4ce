import { stringify } from "yaml";
import type { Card } from "@waybill/core";

/** Lines of a program are not to be folded. */
const LINE_WIDTH = 100;

/** A card as the text of its file. */
export function cardYaml(card: Card): string {
  return stringify(card, { lineWidth: LINE_WIDTH, blockQuote: "literal" });
}
