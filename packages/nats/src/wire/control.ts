import { isRecord } from "@waybill/core/schema";
import { parseBody } from "./json-body.ts";

/** A message of a requester about a running request. It names the request by its secret inbox. */
export interface Control {
  readonly inbox: string;
  /** The requester no longer waits. The value is the reason. */
  readonly cancel?: string;
  /** This many more values may be sent. */
  readonly credit?: number;
  /** Asks whether the request is still being served. */
  readonly probe?: true;
}

export function writeControl(control: Control): Uint8Array {
  return Buffer.from(JSON.stringify(control));
}

/**
 * Reads a control message. Undefined if it is invalid, because there is nobody to report that
 * to.
 */
export function readControl(body: Uint8Array): Control | undefined {
  try {
    const said = parseBody(body);
    if (!isRecord(said)) return undefined;
    const { inbox, cancel, credit, probe } = said;
    if (typeof inbox !== "string") return undefined;
    return {
      inbox,
      ...(typeof cancel === "string" && { cancel }),
      ...(typeof credit === "number" && { credit }),
      ...(probe === true && { probe }),
    };
  } catch {
    return undefined;
  }
}
