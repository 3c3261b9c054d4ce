import { fail } from "@waybill/core";

/** An input that cannot be meant as it is written is refused before anything is sent. */
export function refuseInput(id: string, name: string, message: string): Error {
  return fail("VALIDATION", `Invalid input for ${id}: /${name} ${message}`, {
    outcome: "not_applied",
    issues: [{ path: `/${name}`, message }],
  });
}
