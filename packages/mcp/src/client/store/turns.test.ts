import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("Turns starts the third task of a key only after the second has ended, not after the first", async () => {
  const turns = new Turns();
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const work = (number: number) => () => {
    begun.push(number);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const first = turns.take("a", work(1));
  const second = turns.take("a", work(2));
  ends[0]!();
  await first;
  const third = turns.take("a", work(3));
  void turns.take("b", work(4));
  await Promise.resolve();
  expect(begun).toEqual([1, 2, 4]);
  ends[1]!();
  await second;
  await expect.poll(() => begun).toEqual([1, 2, 4, 3]);
  ends[3]!();
  await third;
});
