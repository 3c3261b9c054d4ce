import { expect, it } from "vitest";
import { NameSearch } from "./best-names.ts";
import { readLetters } from "./search-letters.ts";
import { readWanted, scoreMatch } from "./search-score.ts";

it.each([1, 2, 3])("findBestNames returns the best %i of five names", (most) => {
  const names = ["unlike", "asksend", "send", "sendEmail", "resend"];
  const lower = names.map((name) => name.toLowerCase());
  const letters = Uint32Array.from(lower, readLetters);
  const searched = new NameSearch(
    { letters, lower, nameAt: (at) => names[at]! },
    readWanted("send"),
  );
  const found = searched.best(scoreMatch, most).map(({ at }) => names[at]);
  expect(found).toEqual(["send", "sendEmail", "resend"].slice(0, most));
});
