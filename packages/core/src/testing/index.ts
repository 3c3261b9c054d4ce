export { makeAttempt } from "./attempt.ts";
export type { ContractCase } from "./contract.ts";
export { journalContract } from "./journal-contract.ts";
export { sourceContract } from "./source-contract.ts";
export type { SourceExample } from "./source-contract.ts";
export { transportContract } from "./transport-contract.ts";
