import { fail } from "@waybill/core";

/**
 * Refuses a NUL, because it ends an argument early, and the program would see another value than
 * the one that was checked.
 */
export function refuseNul(argv: readonly string[]): void {
  if (argv.some((argument) => argument.includes("\0"))) {
    throw fail(
      "VALIDATION",
      "An argument of a command contains a NUL byte. Remove it from the input",
      {
        outcome: "not_applied",
      },
    );
  }
}
