import { fail } from "@waybill/core";

/** A NUL ends an argument early, so the program would see something else than what was checked. */
export function refuseNul(argv: readonly string[]): void {
  if (argv.some((argument) => argument.includes("\0"))) {
    throw fail("VALIDATION", "An argument of a command contains a NUL byte", {
      outcome: "not_applied",
    });
  }
}
