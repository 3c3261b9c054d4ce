export { openJournal } from "./open-journal.ts";
export type { JournalOptions } from "./open-journal.ts";
