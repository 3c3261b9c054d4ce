import type { Io } from "./io.ts";
import { note } from "./io.ts";

const MAX_ANSWER = 100;

/**
 * Asks the user at the terminal. The end of input counts as no, and so does every answer except
 * yes.
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
