export { examineJournal } from "./examine-journal.ts";
export { openJournal } from "./open-journal.ts";
export type { JournalOptions } from "./open-journal.ts";
