import { expect, it } from "vitest";
import { SIZES, shorten } from "./shorten.ts";

it.each(SIZES)(
  "a string is shortened to $letters letters without cutting a letter in half",
  (size) => {
    const text = `${"x".repeat(size.letters - 1)}😀${"y".repeat(400)}`;
    const { note } = shorten({ note: text }, size) as { note: string };
    expect(note).toBe(`${"x".repeat(size.letters - 1)}…`);
  },
);
