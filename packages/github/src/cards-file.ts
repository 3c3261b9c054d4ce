/** The cards, written by `npm run generate`. The build copies them beside the command. */
export const CARDS_FILE = new URL("../generated/cards.ndjson", import.meta.url);
