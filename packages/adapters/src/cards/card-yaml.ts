import { stringify } from "yaml";
import type { Card } from "@waybill/core";

/** Longer than usual lines, so that programs are not wrapped. */
const LINE_WIDTH = 100;

/** Writes a card as YAML. */
export function cardYaml(card: Card): string {
  return stringify(card, { lineWidth: LINE_WIDTH, blockQuote: "literal" });
}
