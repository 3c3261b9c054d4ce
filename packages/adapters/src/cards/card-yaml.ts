import { stringify } from "yaml";
import type { Card } from "@waybill/core";

/** Wide enough that the lines of a program are not folded. */
const LINE_WIDTH = 100;

/** Writes a card as YAML. */
export function cardYaml(card: Card): string {
  return stringify(card, { lineWidth: LINE_WIDTH, blockQuote: "literal" });
}
