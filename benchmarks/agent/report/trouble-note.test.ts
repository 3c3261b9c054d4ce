import { expect, it } from "vitest";
import { play } from "../figures/fixtures/sample.ts";
import { NO_FAULT } from "../types.ts";
import { troubleNote } from "./trouble-note.ts";

const absent = { scenario: "s", mode: "gh-known", variant: "fault" } as const;

it("the note on faults counts plays that no fault applied to, harmless repeats, and writes that were applied twice", () => {
  const note = troubleNote({
    played: [
      play({ variant: "fault", repeated: 1 }),
      play({ variant: "fault", repeated: 0, doubled: 2 }),
      play({ repeated: 0 }),
    ],
    absent: [
      { ...absent, why: `${NO_FAULT}: none of its requests is one that the fault is for` },
      { ...absent, why: "it creates no releases" },
    ],
  });
  expect(note).toContain("1 of 3 plays with a fault sent no request");
  expect(note).toContain("applied too often, in all modes together: 2.");
  expect(note).toContain("did not change GitHub: 1.");
});
