import { expect, it } from "vitest";
import { randomDigits } from "./random-digits.ts";

it("randomDigits returns the requested number of digits, and uses all ten digits", () => {
  const values = Array.from({ length: 200 }, () => randomDigits(39));
  expect(values.every((value) => /^\d{39}$/.test(value))).toBe(true);
  expect(new Set(values).size).toBe(values.length);
  expect(new Set(values.join("")).size).toBe(10);
});
