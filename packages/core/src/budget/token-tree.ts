/** Loaded when tokens are first counted, because the list is a third of the library's size. */
type TokenList = typeof import("./token-list.ts");
type CommonCharacters = typeof import("./common-characters.ts");

// The tree of tokens is one hash table with two numbers per slot. The key combines a node with
// the next character. The value combines the next node with the level of its token.
const PLACES = 1 << 17;
const HASH_SHIFT = 15;
const LAST = 2 * PLACES - 1;
const CHARACTER_BITS = 13;
const LEVEL_BITS = 14;
const LEVEL_MASK = (1 << LEVEL_BITS) - 1;
const ZERO = 48;
const NINE = 57;
const FIRST_LEVEL = 33;
const LEVEL_BASE = 93;

/** Larger than the level of any token. */
export const NO_TOKEN: number = LEVEL_MASK + 1;

/** The number of each UTF-16 code unit that occurs in a token. 0 for all others. */
const characters = new Uint16Array(65_536);
let list: TokenList | undefined;
let common: CommonCharacters | undefined;
let table: Uint32Array | undefined;

/**
 * Loads the token list. Before that, every character counts as one token, or as one for each of its
 * bytes, which is never too few.
 */
export async function loadTokenList(): Promise<void> {
  common ??= await import("./common-characters.ts");
  list ??= await import("./token-list.ts");
}

/** Characters of other scripts that are one token. Undefined before the token list is loaded. */
export function commonCharacters(): CommonCharacters | undefined {
  return common;
}

export function hasTokenList(): boolean {
  return list !== undefined;
}

/** The slot of a key, or the free slot where the key can be stored. */
function childIndex(places: Uint32Array, key: number): number {
  let place = (Math.imul(key, 0x9e3779b1) >>> HASH_SHIFT) << 1;
  while (places[place] !== key && places[place] !== 0) place = (place + 2) & LAST;
  return place;
}

/** Numbers start at 1, because 0 means that the character occurs in no token. */
function getLevel({ LEVELS }: TokenList, token: number): number {
  const upper = LEVELS.charCodeAt(2 * token) - FIRST_LEVEL;
  return upper * LEVEL_BASE + LEVELS.charCodeAt(2 * token + 1) - FIRST_LEVEL + 1;
}

function createTable(from: TokenList): Uint32Array {
  const { TOKENS } = from;
  const places = new Uint32Array(2 * PLACES);
  const path = [0];
  let depth = 0;
  let nodes = 0;
  let known = 0;
  let tokens = 0;
  for (let index = 0; index < TOKENS.length; index++) {
    const code = TOKENS.charCodeAt(index);
    if (code >= ZERO && code <= NINE) {
      depth = code - ZERO;
      continue;
    }
    characters[code] ||= ++known;
    const key = (path[depth]! << CHARACTER_BITS) | characters[code];
    const place = childIndex(places, key);
    places[place] = key;
    places[place + 1] ||= ++nodes << LEVEL_BITS;
    path[++depth] = places[place + 1]! >>> LEVEL_BITS;
    const next = TOKENS.charCodeAt(index + 1);
    if (!(next > NINE || next < ZERO)) places[place + 1]! |= getLevel(from, tokens++);
  }
  return places;
}

/**
 * The level of a part of a text, if that part is a token of the list. The encoding creates
 * tokens with lower levels first.
 */
export function tokenLevel(text: string, start: number, end: number): number {
  if (list === undefined) return NO_TOKEN;
  const places = (table ??= createTable(list));
  let value = 0;
  for (let index = start; index < end; index++) {
    const character = characters[text.charCodeAt(index)]!;
    if (character === 0) return NO_TOKEN;
    const key = ((value >>> LEVEL_BITS) << CHARACTER_BITS) | character;
    value = places[childIndex(places, key) + 1]!;
    if (value === 0) return NO_TOKEN;
  }
  return value & LEVEL_MASK || NO_TOKEN;
}
