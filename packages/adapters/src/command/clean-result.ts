import type { Redactor } from "@waybill/core";
import { cleanBytes } from "../http/index.ts";
import type { ProgramResult } from "./run-program.ts";

/**
 * Removes secrets from the output before any part is quoted, because a program may print the
 * secrets that it was given.
 */
export function cleanResult(result: ProgramResult, redactor: Redactor): ProgramResult {
  const { stdout, stderr } = result;
  return { ...result, stdout: cleanBytes(stdout, redactor), stderr: redactor.data(stderr) };
}
