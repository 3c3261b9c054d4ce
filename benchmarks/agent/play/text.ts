import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Text, Turn } from "../types.ts";

/**
 * Text that differs between runs, or exists only because GitHub is emulated, with its replacement.
 * The report mentions this beside the figures.
 */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/"Answered by the embedded GitHub at [^"]*",?/g, ""],
  [/\nwarning: Answered by the embedded GitHub at [^\n]*/g, ""],
  [/"warnings":\[\],?/g, ""],
  [/,\}/g, "}"],
  // Brief answers leave out an empty `meta`.
  [/,"meta":\{\}/g, ""],
  [/"(request_id|requestId)":"[^"]*"/g, '"$1":"dtGaIZ531"'],
  // A warning that occurs only if the machine is too busy to load the pack in time.
  [/"hint":"Not all sources could be read\. The source github has not answered\.",?/g, ""],
  [/"(duration_ms|total_ms|adapter_ms)":[\d.]+/g, '"$1":21.3'],
  // The estimate was made for the original text, before ids were replaced.
  [/"tokens_out":\d{1,3}(?=\D)/g, '"tokens_out":115'],
  [/"tokens_out":\d{4,}/g, '"tokens_out":1150'],
  [/"generatedAt":"[^"]*"/g, '"generatedAt":"2026-01-15T12:00:00.000Z"'],
  // Codes that approve a call or a program, wherever they stand. The replacements are as long.
  [/\bok\d{24}\b/g, "ok613245752291623094118520"],
  [/(?<=\bapprove(?:":"| ))\d{15}\b/g, "613245752291623"],
  // Handles of kept results are random too.
  [/(?<=\bhandle(?:":"|: ))r\d{39}(?!\d)/g, "r314159265358979323846264338327950288419"],
];

/** A text in the form that is counted. `folders` are local folders, which become `/repo`. */
export function steady(text: string, folders: readonly string[]): string {
  const moved = folders.reduce((whole, folder) => whole.replaceAll(folder, "/repo"), text);
  return REPLACED.reduce((whole, [pattern, put]) => whole.replace(pattern, put), moved).trimEnd();
}

export function countedText(what: string, text: string): Text {
  return { what, text, tokens: countTokens(text) };
}

export function turn(purpose: Turn["purpose"], what: string, sent: string, read: string): Turn {
  return { purpose, send: countedText(what, sent), read: countedText(what, read) };
}
