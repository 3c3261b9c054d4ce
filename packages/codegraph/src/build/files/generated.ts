/** Where code lies that others wrote, or a program made. */
const PLACE =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|bower_components|jspm_packages)\/|(?:[.-]min|\.bundle|\.pb|_pb2(?:_grpc)?|\.generated|\.gen)\.[^/.]+$/i;

/** What programs write at the top of what they make. */
const HEADER = /@generated\b|\bDO NOT EDIT\b|\b(?:auto-?generated|generated (?:by|from|with))\b/i;
const HEADER_LENGTH = 600;
/** A person breaks lines; of a file of some size, a line is seldom longer on average. */
const LINE_LENGTH = 400;
const LONG = 5_000;

/** Whether a file was not written in this tree: a copy of something else, or made by a program. */
export function isGenerated(path: string, text: string, lines: number): boolean {
  if (PLACE.test(path) || HEADER.test(headOf(text))) return true;
  return text.length > LONG && text.length > lines * LINE_LENGTH;
}

/** The comments that a file begins with. */
function headOf(text: string): string {
  const head = text.slice(0, HEADER_LENGTH);
  return (
    /^(?:\s*(?:\/\/.*|#.*|\/\*[\s\S]*?(?:\*\/|$)|""".*|<!--[\s\S]*?-->|["']use \w+["'];?)\n?)*/.exec(
      head,
    )?.[0] ?? ""
  );
}
