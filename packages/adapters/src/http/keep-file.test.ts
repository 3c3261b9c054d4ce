import { memoryHandles } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { keepFile } from "./index.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("keepFile", () => {
  it.each(["x", "a longer text"])(
    "keepFile stores the file %j and returns its handle",
    async (text) => {
      const store = memoryHandles();
      const { data } = await keepFile(bytes(text), {}, store, "file.get");
      const { handle } = data as { handle: string };
      expect(data).toMatchObject({ size: text.length });
      expect(data).not.toHaveProperty("filename");
      expect(JSON.stringify(await store.read(handle, 0, 100))).toContain(
        Buffer.from(text).toString("base64"),
      );
    },
  );

  it("keepFile returns no handle for an empty file", async () => {
    const { data } = await keepFile(bytes(""), {}, memoryHandles(), "file.get");
    expect(data).toMatchObject({ size: 0 });
    expect(data).not.toHaveProperty("handle");
  });
});
