/** Where code lies that others wrote, or a program made. */
const PLACE =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|bower_components|jspm_packages)\/|(?:[.-]min|\.bundle|\.pb|_pb2(?:_grpc)?|\.generated|\.gen)\.[^/.]+$/i;

/** Programs write one of these at the top of the files that they generate. */
const HEADER = /@generated\b|\bDO NOT EDIT\b|\b(?:auto-?generated|generated (?:by|from|with))\b/i;
const HEADER_LENGTH = 600;
/** A person breaks lines, so lines of a larger file are rarely longer on average. */
const LINE_LENGTH = 400;
const LONG = 5_000;

/** Whether a file was not written in this tree: a copy of something else, or made by a program. */
export function isGenerated(path: string, text: string, lines: number): boolean {
  if (PLACE.test(path) || HEADER.test(firstLines(text))) return true;
  return text.length > LONG && text.length > lines * LINE_LENGTH;
}

/** The comments that a file begins with. */
function firstLines(text: string): string {
  const head = text.slice(0, HEADER_LENGTH);
  return (
    /^(?:\s*(?:\/\/.*|#.*|\/\*[\s\S]*?(?:\*\/|$)|""".*|<!--[\s\S]*?-->|["']use \w+["'];?)\n?)*/.exec(
      head,
    )?.[0] ?? ""
  );
}
