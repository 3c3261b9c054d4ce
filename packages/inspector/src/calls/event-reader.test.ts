import { describe, expect, it } from "vitest";
import { EventReader } from "./event-reader.ts";

const STREAM =
  ': hello\n\nevent: calls\ndata: {"a":1}\n\nid: 7\ndata: one\ndata: two\n\nevent: cut\n';

describe("event reader", () => {
  it.each([1, 3, 1_000])(
    "the inspector's event reader reads server-sent events in chunks of %i characters",
    (size) => {
      const reader = new EventReader();
      const pieces = STREAM.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
      expect(pieces.flatMap((piece) => reader.push(piece))).toEqual([
        { event: "calls", data: '{"a":1}' },
        { event: "message", data: "one\ntwo" },
      ]);
    },
  );

  it("the inspector's event reader reads server-sent events with CRLF line ends", () => {
    expect(new EventReader().push("event: a\r\ndata: b\r\n\r\n")).toEqual([
      { event: "a", data: "b" },
    ]);
  });

  it("the inspector's event reader throws for an event that is longer than the server sends", () => {
    const reader = new EventReader();
    const piece = "x".repeat(4 * 1_048_576);
    reader.push(piece);
    reader.push(piece);
    expect(() => reader.push(piece)).toThrow("too long");
  });
});
