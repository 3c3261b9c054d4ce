export { Connections, DEFAULT_ACCOUNT } from "./connections.ts";
export type { Connection, ValueStore } from "./connections.ts";
export type { KeyringEntry, OpenKeyring } from "./keyring.ts";
export { Seal } from "./seal.ts";
export type { SealKind, SealOptions } from "./seal.ts";
