/** The digits of the key of a run: enough to distinguish the runs of a caller. */
export const KEY_DIGITS = 12;
