import { anthropic } from "./anthropic.ts";
import type { Format } from "./format.ts";
import { openai } from "./openai.ts";

export { ShapeError } from "./format.ts";
export type { Format } from "./format.ts";

export const FORMATS: Readonly<Record<Format["name"], Format>> = { openai, anthropic };
