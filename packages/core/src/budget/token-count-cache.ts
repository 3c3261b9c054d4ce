// Caches the token counts of recent pieces, because the same pieces are frequent. Their
// characters are copied, because a slice would keep the whole string in memory.

const SLOTS = 16_384;
const HASH_SHIFT = 18;
export const MAX_REMEMBERED = 14;
/** Each slot holds the length, the characters and the token count of a piece. */
const SLOT_SIZE = MAX_REMEMBERED + 2;

const slots = new Uint16Array(SLOTS * SLOT_SIZE);

/** The slot of the cache for a piece. */
export function readSlot(text: string, start: number, end: number): number {
  let hash = 0;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
  }
  return (hash >>> HASH_SHIFT) * SLOT_SIZE;
}

export function isRemembered(slot: number, text: string, start: number, end: number): boolean {
  if (slots[slot] !== end - start) return false;
  for (let index = start, place = slot + 1; index < end; index++, place++) {
    if (slots[place] !== text.charCodeAt(index)) return false;
  }
  return true;
}

export function costIn(slot: number): number {
  return slots[slot + SLOT_SIZE - 1]!;
}

export function remember(
  slot: number,
  text: string,
  start: number,
  end: number,
  cost: number,
): void {
  slots[slot] = end - start;
  for (let index = start, place = slot + 1; index < end; index++, place++) {
    slots[place] = text.charCodeAt(index);
  }
  slots[slot + SLOT_SIZE - 1] = cost;
}
