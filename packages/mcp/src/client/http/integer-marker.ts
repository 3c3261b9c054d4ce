import { markIntegers } from "@waybill/core/schema";

const NEWLINE = 10;

function marked(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const exact = markIntegers(text);
  return exact === text ? bytes : Buffer.from(exact);
}

/** Marks integers that are too large for a number, line by line, before the SDK parses them. */
export function integerMarker(): TransformStream<Uint8Array, Uint8Array> {
  let open: Uint8Array[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) controller.enqueue(marked(Buffer.concat([...open, chunk.subarray(0, end)])));
      if (end > 0) open = [];
      if (end < chunk.length) open.push(chunk.subarray(end));
    },
    flush(controller) {
      if (open.length > 0) controller.enqueue(marked(Buffer.concat(open)));
    },
  });
}
