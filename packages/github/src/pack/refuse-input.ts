import { fail } from "@waybill/core";

/** Refuses an invalid input before anything is sent. */
export function refuseInput(id: string, name: string, message: string): Error {
  return fail("VALIDATION", `Invalid input for ${id}: /${name} ${message}`, {
    outcome: "not_applied",
    issues: [{ path: `/${name}`, message }],
  });
}
