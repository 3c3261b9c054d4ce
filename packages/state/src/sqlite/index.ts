export { DatabaseFile } from "./database-file.ts";
export type { FileFormat } from "./database-file.ts";
export { hasSqlite, loadDriver } from "./driver.ts";
export { FileDoor } from "./door.ts";
export { fileError, readTrouble } from "./failure.ts";
export type { FoundRow } from "./read-text.ts";
export { Backoff } from "./retry-while-busy.ts";
