import type { Redactor } from "@waybill/core";
import { cleanBytes } from "../http/index.ts";
import type { ProgramResult } from "./run-program.ts";

/** A program may print what it was told in secret; it is removed before any part is quoted. */
export function cleanResult(result: ProgramResult, redactor: Redactor): ProgramResult {
  const { stdout, stderr } = result;
  return { ...result, stdout: cleanBytes(stdout, redactor), stderr: redactor.data(stderr) };
}
