import type { Io } from "../io.ts";

/** Whether to print colours: only on a terminal that supports them, for a user who wants them. */
export function hasColours({ isTTY, env }: Io): boolean {
  return isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

export const painted: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
export const plain: Paint = (_colour, text) => text;
