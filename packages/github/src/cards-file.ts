/** The cards that `npm run generate` writes. The build of the command puts a copy beside it. */
export const CARDS_FILE = new URL("../generated/cards.ndjson", import.meta.url);
