import { stringify } from "yaml";
import type { Card } from "@waybill/core";

/** Wider than the lines of a program, so that YAML does not fold them. */
const LINE_WIDTH = 100;

/** Writes a card as YAML. */
export function cardYaml(card: Card): string {
  return stringify(card, { lineWidth: LINE_WIDTH, blockQuote: "literal" });
}
