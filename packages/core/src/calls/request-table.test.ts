import { describe, expect, it } from "vitest";
import { RequestTable } from "./request-table.ts";

describe("RequestTable", () => {
  it("the size of a RequestTable counts added requests and drops with each deletion", () => {
    const table = new RequestTable<object>();
    expect(table.size).toBe(0);
    expect(table.values()).toEqual([]);
    table.add("a", { name: "a" });
    expect(table.size).toBe(1);
    table.delete("a");
    table.delete("a");
    expect(table.size).toBe(0);
  });

  it("a RequestTable keeps the first of two requests with one id", () => {
    const table = new RequestTable<{ name: string }>();
    expect(table.add("a", { name: "first" })).toBe(true);
    expect(table.add("a", { name: "second" })).toBe(false);
    expect(table.get("a")).toEqual({ name: "first" });
    expect(table.values()).toEqual([{ name: "first" }]);
  });

  it.each(["0", "63", "__proto__", "constructor", "toString", ""])(
    "a RequestTable accepts the id %j",
    (id) => {
      const table = new RequestTable<object>();
      expect(table.get(id)).toBeUndefined();
      const request = {};
      expect(table.add(id, request)).toBe(true);
      expect(table.get(id)).toBe(request);
      table.delete(id);
      expect([table.get(id), table.size]).toEqual([undefined, 0]);
    },
  );
});
