export type { HandleInfo, HandlePart, HandleStore, HandleStoreOptions } from "./handle.ts";
export { openHandleStore } from "./handle-store.ts";
