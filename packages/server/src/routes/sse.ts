export const KEEP_ALIVE_MS = 15_000;

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** One event in the text format of a stream. */
export function frame(event: string, data: unknown, id?: number): string {
  const name = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${event}\n${name}data: ${JSON.stringify(data)}\n\n`;
}
