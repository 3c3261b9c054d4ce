import { expect, it } from "vitest";
import { readAddressQuery } from "./address.ts";

const RUNS = "https://github.com/octo/hello/actions?query=";

it("readAddressQuery reads the filters of the page URL of workflow runs only for capabilities that list runs", () => {
  const page = `${RUNS}${encodeURIComponent("branch:main is:failure")}`;
  const filters = [
    ["branch", "main"],
    ["status", "failure"],
  ];
  expect(readAddressQuery(page, true)).toEqual(filters);
  expect(readAddressQuery(page, false)).toEqual([]);
});

// A pattern that starts a new search at each character would take many minutes for this text.
it("readAddressQuery reads a URL query of a million characters in linear time", () => {
  expect(readAddressQuery(`${RUNS}${"a".repeat(1_000_000)}`, true)).toEqual([]);
});
