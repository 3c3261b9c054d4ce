import { expect, it } from "vitest";
import { contentHash } from "./content-hash.ts";

const hashOf = (text: string): string => {
  const { hashLow, hashHigh } = contentHash(Uint8Array.from(Buffer.from(text)));
  return `${hashLow} ${hashHigh}`;
};

it("the content hash is different for different strings", () => {
  const text = "export const answer = 42; // of all\n";
  const texts = new Set(["", "a", "aa", "\0", "\0\0", text]);
  for (let at = 0; at < text.length; at++) {
    for (const other of ["x", "\0", "é"]) texts.add(text.slice(0, at) + other + text.slice(at + 1));
    texts.add(text.slice(0, at));
    texts.add(text.slice(0, at) + text.slice(at + 1) + text[at]!);
  }
  for (let count = 0; count < 20_000; count++) texts.add(`export const name${count} = ${count};\n`);
  expect(new Set([...texts].map(hashOf)).size).toBe(texts.size);
});

it("the content hash covers only the given bytes, not the memory behind them", () => {
  const memory = Buffer.allocUnsafeSlow(64).fill(1);
  const before = contentHash(memory.subarray(0, 7));
  memory.fill(2, 7);
  expect(contentHash(memory.subarray(0, 7))).toEqual(before);
});
