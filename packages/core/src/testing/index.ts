export type { ContractCase } from "./contract.ts";
export { sourceContract } from "./source-contract.ts";
export type { SourceExample } from "./source-contract.ts";
export { transportContract } from "./transport-contract.ts";
