/** Folders and names of third-party or generated code. */
const PLACE =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|bower_components|jspm_packages)\/|(?:[.-]min|\.bundle|\.pb|_pb2(?:_grpc)?|\.generated|\.gen)\.[^/.]+$/i;

/** Programs write one of these at the top of the files that they generate. */
const HEADER = /@generated\b|\bDO NOT EDIT\b|\b(?:auto-?generated|generated (?:by|from|with))\b/i;
const HEADER_LENGTH = 600;
/** Lines that people write are shorter on average, in a larger file. */
const LINE_LENGTH = 400;
const LONG = 5_000;

/** Whether a file is third-party code or generated. */
export function isGenerated(path: string, text: string, lines: number): boolean {
  if (PLACE.test(path) || HEADER.test(firstLines(text))) return true;
  return text.length > LONG && text.length > lines * LINE_LENGTH;
}

/** The comments at the start of a file. */
function firstLines(text: string): string {
  const head = text.slice(0, HEADER_LENGTH);
  return (
    /^(?:\s*(?:\/\/.*|#.*|\/\*[\s\S]*?(?:\*\/|$)|""".*|<!--[\s\S]*?-->|["']use \w+["'];?)\n?)*/.exec(
      head,
    )?.[0] ?? ""
  );
}
