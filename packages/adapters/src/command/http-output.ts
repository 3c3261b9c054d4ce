/** The output of `gh api --include`: status line and headers first, then the body. */
export interface HttpOutput {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const NEW_LINE = 10;

function parseHeaderLines(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** The lines up to the empty line, and the position where the body begins. */
function splitHead(output: Buffer): { lines: string[]; end: number } {
  const lines: string[] = [];
  let start = 0;
  while (start < output.length) {
    const newLine = output.indexOf(NEW_LINE, start);
    const end = newLine < 0 ? output.length : newLine;
    const line = output.toString("latin1", start, end).replace(/\r$/u, "");
    start = end + 1;
    if (line === "") break;
    lines.push(line);
  }
  return { lines, end: Math.min(start, output.length) };
}

/**
 * Parses the output. Undefined if there is no status line; then the outcome of the request is
 * unknown.
 */
export function parseHttpOutput(bytes: Uint8Array): HttpOutput | undefined {
  const output = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (output.toString("latin1", 0, 5) !== "HTTP/") return undefined;
  const { lines, end } = splitHead(output);
  const status = /^HTTP\/[\d.]+ (\d{3})(?: |$)/u.exec(lines[0] ?? "")?.[1];
  if (status === undefined) return undefined;
  return {
    status: Number(status),
    headers: parseHeaderLines(lines.slice(1)),
    body: output.subarray(end),
  };
}
