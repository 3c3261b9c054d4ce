// These names are the public API. Everything else may change without notice.
export { DOCUMENT_NAME, isDocumentFile, isSearchedFolder } from "./document-files.ts";
export { takeLock, withLock } from "./lock.ts";
export type { HeldLock, LockOptions } from "./lock.ts";
export { leadsOut } from "./leads-out.ts";
export { makeFolder } from "./make-folder.ts";
export { readPlainFile, readPlainFileSync } from "./read-plain-file.ts";
export { ensurePrivateFolder, stateFiles, stateFolder } from "./state-folder.ts";
export type { StateFiles } from "./state-folder.ts";
export { keepShown, readShown } from "./shown-warnings.ts";
export { sweepFolder } from "./sweep.ts";
export type { SweepLimits } from "./sweep.ts";
export { writePrivate, writeWhole } from "./write-whole.ts";
export type { WriteOptions } from "./write-whole.ts";
