import type { Io } from "./io.ts";
import { note } from "./io.ts";

const MAX_ANSWER = 100;

/**
 * Asks the user at the terminal. Every answer except yes counts as no, and so does the end of
 * input.
 */
export async function isAgreed(io: Io, question: string): Promise<boolean> {
  await note(io, `${question} [y/N]`);
  let answer = "";
  for await (const chunk of io.stdin) {
    answer += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    if (answer.includes("\n") || answer.length > MAX_ANSWER) break;
  }
  return /^\s*y(?:es)?\s*$/i.test(answer.split("\n", 1)[0]!);
}
