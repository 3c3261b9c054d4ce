/** The longest stored text of a declaration. */
const MAX_DETAIL = 160;

/** A declaration in one line, cut to a bounded length. */
export function oneLine(text: string): string {
  const start = text.length > 4 * MAX_DETAIL ? text.slice(0, 4 * MAX_DETAIL) : text;
  const line = start.includes("\n") ? start.replace(/\s+/g, " ") : start;
  const whole = line.trim();
  return whole.length > MAX_DETAIL ? `${whole.slice(0, MAX_DETAIL - 1)}…` : whole;
}
