import type { Redactor } from "@waybill/core";
import { cleanBytes } from "../http/index.ts";
import type { ProgramResult } from "./run-program.ts";

/**
 * A program may print the secrets that it was given. They are removed before any part is quoted.
 */
export function cleanResult(result: ProgramResult, redactor: Redactor): ProgramResult {
  const { stdout, stderr } = result;
  return { ...result, stdout: cleanBytes(stdout, redactor), stderr: redactor.data(stderr) };
}
