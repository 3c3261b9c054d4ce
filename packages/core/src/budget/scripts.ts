import { COMMON_CHARACTERS } from "./common-characters.ts";

/** Tokens of a character: the first of its script in a row, and each one after it. */
export interface ScriptCost {
  readonly first: number;
  readonly next: number;
}

function cost(first: number, next: number): ScriptCost {
  return { first, next };
}

const COSTS = {
  accented: cost(1.35, 1.98),
  latinSigns: cost(0.7, 0.6),
  greek: cost(1.34, 0.3),
  cyrillic: cost(0.7, 0.31),
  cyrillicExtra: cost(0.61, 0.52),
  armenian: cost(0.7, 0.42),
  hebrew: cost(0.75, 0.38),
  arabic: cost(0.94, 0.3),
  arabicExtra: cost(0.8, 1.2),
  devanagari: cost(0.72, 0.3),
  indic: cost(0.9, 0.63),
  georgian: cost(0.92, 0.52),
  punctuation: cost(1.2, 0.7),
  symbol: cost(1.25, 2.3),
  // Also the points of Hebrew, of which each is a token.
  box: cost(1.2, 1.1),
  cjkPunctuation: cost(0.71, 0.52),
  kana: cost(1.4, 0.43),
  commonHan: cost(1, 0.82),
  commonHangul: cost(1, 0.65),
  rareCjk: cost(2.6, 2.6),
  fullWidth: cost(2, 0.82),
  variation: cost(1.05, 1.05),
  // The two halves of a character outside the first plane.
  emojiHalf: cost(0.51, 0.51),
  astralHalf: cost(2.16, 2.16),
  lowHalf: cost(2.03, 2.03),
  twoBytes: cost(2, 2),
  threeBytes: cost(3, 3),
} as const satisfies Record<string, ScriptCost>;

type Script = keyof typeof COSTS;

export const SCRIPT_COSTS: Readonly<Record<string, ScriptCost>> = COSTS;
export const SCRIPTS: readonly string[] = Object.keys(COSTS);

/** Where each script begins. What is not known is charged by the byte, which is never too little. */
const STARTS: readonly (readonly [number, Script])[] = [
  [0x80, "latinSigns"],
  [0xc0, "accented"],
  [0x250, "twoBytes"],
  [0x370, "greek"],
  [0x400, "cyrillicExtra"],
  [0x410, "cyrillic"],
  [0x450, "cyrillicExtra"],
  [0x530, "armenian"],
  [0x590, "box"],
  [0x5d0, "hebrew"],
  [0x600, "arabic"],
  [0x650, "arabicExtra"],
  [0x700, "threeBytes"],
  [0x900, "devanagari"],
  [0x980, "indic"],
  [0xf00, "threeBytes"],
  [0x1000, "indic"],
  [0x10a0, "georgian"],
  [0x1100, "threeBytes"],
  [0x1780, "indic"],
  [0x1800, "threeBytes"],
  [0x1e00, "accented"],
  [0x1f00, "threeBytes"],
  [0x2000, "punctuation"],
  [0x2070, "symbol"],
  [0x2300, "threeBytes"],
  [0x2500, "box"],
  [0x2600, "symbol"],
  [0x2800, "threeBytes"],
  [0x3000, "cjkPunctuation"],
  [0x3040, "kana"],
  [0x3100, "threeBytes"],
  [0x4e00, "rareCjk"],
  [0xa000, "threeBytes"],
  [0xac00, "rareCjk"],
  [0xd7a4, "threeBytes"],
  [0xd800, "astralHalf"],
  [0xd83c, "emojiHalf"],
  [0xd83f, "astralHalf"],
  [0xdc00, "lowHalf"],
  [0xe000, "threeBytes"],
  [0xfe00, "variation"],
  [0xfe10, "threeBytes"],
  [0xff00, "fullWidth"],
  [0xfff0, "threeBytes"],
];

const HAN_BYTES = (0xa000 - 0x4e00) / 8;

function markCommon(classes: Uint8Array, classOf: (script: string) => number): void {
  const bits = atob(COMMON_CHARACTERS);
  const han = classOf("commonHan");
  const hangul = classOf("commonHangul");
  for (let byte = 0; byte < bits.length; byte++) {
    const isHan = byte < HAN_BYTES;
    const start = isHan ? 0x4e00 + byte * 8 : 0xac00 + (byte - HAN_BYTES) * 8;
    for (let rest = bits.charCodeAt(byte), code = start; rest > 0; rest >>= 1, code++) {
      if ((rest & 1) === 1) classes[code] = isHan ? han : hangul;
    }
  }
}

/** Writes the class of every character beyond ASCII into a table of all code units. */
export function markScripts(classes: Uint8Array, classOf: (script: string) => number): void {
  for (const [index, [start, script]] of STARTS.entries()) {
    classes.fill(classOf(script), start, STARTS[index + 1]?.[0]);
  }
  markCommon(classes, classOf);
}
