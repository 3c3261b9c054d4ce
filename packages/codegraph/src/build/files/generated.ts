/** Folders and names of third-party or generated code. */
const PLACE =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|bower_components|jspm_packages)\/|(?:[.-]min|\.bundle|\.pb|_pb2(?:_grpc)?|\.generated|\.gen)\.[^/.]+$/i;

/** Marks that programs write at the top of generated files. */
const HEADER = /@generated\b|\bDO NOT EDIT\b|\b(?:auto-?generated|generated (?:by|from|with))\b/i;
const HEADER_LENGTH = 600;
/** The longest average line of hand-written code, for larger files. */
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
