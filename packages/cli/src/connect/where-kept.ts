import type { SealKind } from "@waybill/state";
import { stateFiles } from "@waybill/state/files";

const PROTECTED: Readonly<Record<SealKind, string>> = {
  keyring: "encrypted with a key in the system's keyring",
  passphrase: "encrypted with WAYBILL_PASSPHRASE",
  file: "readable by you only; set WAYBILL_PASSPHRASE to encrypt them",
};

/** Describes where tokens are stored, and how they are protected. */
export function whereKept(kind: SealKind, state: string): string {
  return `${stateFiles(state).connections} (${PROTECTED[kind]})`;
}
