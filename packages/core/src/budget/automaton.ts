import { SCRIPTS, SCRIPT_COSTS, markScripts } from "./scripts.ts";
import { AFTER_CAPITAL, CAPITAL_PAIRS, KIND_PAIRS, SMALL_PAIRS } from "./weights.ts";

/** Costs are whole numbers of this many to a token, so that adding them up is exact. */
export const UNITS_PER_TOKEN = 1_000;

// A state is what the last character was. It doubles as the class of a character, so that most
// steps lead to the state of the same number.
const CAPITAL = 26;
const DIGIT = 52;
export const SPACE = 55;
export const SPACES = 56;
const NEWLINE = 57;
const TAB = 58;
const CONTROL = 59;
const ESCAPED = 60;
export const START = 61;
const SIGN = 62;
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
// The signs of JSON go together where they stand in their usual order, and only there.
const COLON_AFTER_QUOTE = SIGN + SIGNS.length;
const COMMA_AFTER_QUOTE = COLON_AFTER_QUOTE + 1;
const BRACE_AFTER_QUOTE = COLON_AFTER_QUOTE + 2;
const COMMA_AFTER_BRACKET = COLON_AFTER_QUOTE + 3;
const BRACE_AFTER_COMMA = COLON_AFTER_QUOTE + 4;
const COMMA_AFTER_WORD = COLON_AFTER_QUOTE + 5;
const SCRIPT = COLON_AFTER_QUOTE + 6;
const ACCENTED = SCRIPT + SCRIPTS.indexOf("accented");
const BACKSLASH = sign("\\");
const COMMA = sign(",");
const STATES = 128;
const UNSEEN = 127;

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ROWS_BEFORE_SIGNS = 10;
const COLUMNS_BEFORE_SIGNS = 7;
const COLUMNS = COLUMNS_BEFORE_SIGNS + SIGNS.length;

/** Tables that are filled in as they are used, as a text needs few of their places. */
export interface Automaton {
  /** The class of each UTF-16 code unit. */
  readonly classes: Uint8Array;
  /** By `state << 7 | class`: the cost in the upper 24 bits, the state after it, and a 1. */
  readonly steps: Uint32Array;
}

function sign(text: string): number {
  return SIGN + SIGNS.indexOf(text);
}

/** Two steps that lead to a state of their own: from, by, to. */
const STRUCTURE: readonly (readonly [number, number, number])[] = [
  [sign('"'), sign(":"), COLON_AFTER_QUOTE],
  [sign('"'), sign(","), COMMA_AFTER_QUOTE],
  [sign('"'), sign("}"), BRACE_AFTER_QUOTE],
  [BRACE_AFTER_QUOTE, sign(","), COMMA_AFTER_BRACKET],
  [sign("}"), sign(","), COMMA_AFTER_BRACKET],
  [sign("]"), sign(","), COMMA_AFTER_BRACKET],
  [COMMA_AFTER_BRACKET, sign("{"), BRACE_AFTER_COMMA],
];

function isScript(state: number): boolean {
  return state >= SCRIPT;
}

function isDigit(state: number): boolean {
  return state >= DIGIT && state < SPACE;
}

function rowOf(state: number): number {
  if (state < DIGIT) return 0;
  if (isDigit(state)) return 1;
  if (state < START) return state - SPACE + 2;
  if (state === ACCENTED) return 8;
  return state === START || isScript(state) ? 9 : ROWS_BEFORE_SIGNS + state - SIGN;
}

const KIND_COLUMNS = new Map([
  [DIGIT, 2],
  [SPACE, 3],
  [NEWLINE, 4],
  [TAB, 5],
  [CONTROL, 6],
]);

function columnOf(kind: number): number {
  if (kind < DIGIT) return kind < CAPITAL ? 0 : 1;
  return KIND_COLUMNS.get(kind) ?? COLUMNS_BEFORE_SIGNS + kind - SIGN;
}

function figure(table: string, index: number, scale: number): number {
  return Math.round((BASE64.indexOf(table.charAt(index)) * UNITS_PER_TOKEN) / scale);
}

function letterCost(state: number, kind: number): number {
  if (kind >= CAPITAL) {
    // A capital after a small letter always begins a token.
    if (state < CAPITAL) return UNITS_PER_TOKEN;
    return figure(CAPITAL_PAIRS, (state - CAPITAL) * 26 + kind - CAPITAL, 63);
  }
  return state < CAPITAL
    ? figure(SMALL_PAIRS, state * 26 + kind, 63)
    : figure(AFTER_CAPITAL, kind, 63);
}

const LETTER_TO_ACCENTED = 0.5;

function scriptCost(state: number, kind: number): number {
  if (kind === ACCENTED && state < DIGIT) return LETTER_TO_ACCENTED;
  const { first, next } = SCRIPT_COSTS[SCRIPTS[kind - SCRIPT]!]!;
  return state === kind ? next : first;
}

function stepCost(state: number, kind: number): number {
  if (isScript(kind)) return Math.round(scriptCost(state, kind) * UNITS_PER_TOKEN);
  if (state < DIGIT && kind < DIGIT) return letterCost(state, kind);
  // Digits go in threes, counted from the first.
  if (isDigit(state) && kind === DIGIT) return state === DIGIT + 2 ? UNITS_PER_TOKEN : 0;
  const row = state === ESCAPED && kind >= DIGIT ? 0 : rowOf(state);
  return figure(KIND_PAIRS, row * COLUMNS + columnOf(kind), 31);
}

function stepState(state: number, kind: number): number {
  const structure = STRUCTURE.find(([from, by]) => from === state && by === kind);
  if (structure !== undefined) return structure[2];
  if (kind === COMMA && (rowOf(state) < 2 || state === ESCAPED)) return COMMA_AFTER_WORD;
  if (kind === DIGIT && isDigit(state) && state < DIGIT + 2) return state + 1;
  if (kind === SPACE && (state === SPACE || state === SPACES)) return SPACES;
  return state === BACKSLASH && kind < CAPITAL ? ESCAPED : kind;
}

function asciiClass(code: number): number {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 65 && code <= 90) return CAPITAL + code - 65;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 32) return SPACE;
  if (code === 10 || code === 13) return NEWLINE;
  if (code === 9) return TAB;
  return code < 32 || code === 127 ? CONTROL : SIGN + SIGNS.indexOf(String.fromCharCode(code));
}

export function createAutomaton(): Automaton {
  const classes = new Uint8Array(65_536).fill(UNSEEN, 128);
  for (let code = 0; code < 128; code++) classes[code] = asciiClass(code);
  return { classes, steps: new Uint32Array(STATES * STATES) };
}

/** Finds out about a step that is taken for the first time. */
export function learnStep({ classes, steps }: Automaton, state: number, code: number): number {
  if (classes[code] === UNSEEN) {
    markScripts(classes, (script) => SCRIPT + SCRIPTS.indexOf(script));
  }
  const kind = classes[code]!;
  const step = (stepCost(state, kind) << 8) | (stepState(state, kind) << 1) | 1;
  steps[(state << 7) | kind] = step;
  return step;
}
