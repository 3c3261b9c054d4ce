// These names are the public API. Everything else may change without notice.
export { connectNats } from "./link.ts";
export type { NatsLink, NatsOptions } from "./link.ts";
export { natsJournal } from "./journal/journal.ts";
export type { NatsJournalOptions } from "./journal/journal.ts";
export { serveNats } from "./serve.ts";
export type { NatsService } from "./serve.ts";
export { natsSource } from "./source.ts";
export type { NatsSourceOptions } from "./source.ts";
