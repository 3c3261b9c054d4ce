import { closeSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cardTable } from "@waybill/core/cards";
import { places, summaries } from "../generated/cards.ts";
import { CARDS_FILE } from "../cards-file.ts";

/** Reads one card from the file, which is a few kilobytes of almost a megabyte. */
function readRecord(id: string): string | undefined {
  if (!Object.hasOwn(places, id)) return undefined;
  const [start, length] = places[id]!;
  const file = openSync(fileURLToPath(CARDS_FILE), "r");
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, start);
    return bytes.toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** Every card of the pack. */
export const cards = cardTable(summaries, readRecord);
