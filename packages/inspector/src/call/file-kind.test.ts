import { describe, expect, it } from "vitest";
import { fileKind, fileName } from "./file-kind.ts";

function file(mime_type: string, bytes = 100, name?: string) {
  return { handle: "h", mime_type, bytes, ...(name !== undefined && { name }) };
}

describe("fileKind", () => {
  it("the inspector shows raster images as an image and sound as a player", () => {
    expect(fileKind(file("image/png"))).toBe("image");
    expect(fileKind(file("audio/wav"))).toBe("audio");
  });

  it.each(["image/svg+xml", "text/html", "application/pdf", "image/png; x", "audio/"])(
    "the inspector shows only a link for a file of the type %s",
    (type) => expect(fileKind(file(type))).toBe("link"),
  );

  it("the inspector shows only a link for a large image", () => {
    expect(fileKind(file("image/png", 8_000_001))).toBe("link");
  });
});

describe("fileName", () => {
  it("fileName returns the last part of a file's name or URL, or a name made from the file's type", () => {
    expect(fileName(file("image/png", 1, "https://a.example/b/logo.png?x=1"))).toBe("logo.png");
    expect(fileName(file("image/png", 1, "../../logo.png"))).toBe("logo.png");
    expect(fileName(file("image/svg+xml"))).toBe("file.svg");
    expect(fileName(file("odd"))).toBe("file.bin");
  });
});
