import { expect, it } from "vitest";
import { play } from "../figures/fixtures/sample.ts";
import { NO_FAULT } from "../types.ts";
import { troubleNote } from "./trouble-note.ts";

const absent = { scenario: "s", mode: "gh-known", variant: "fault" } as const;

it("counts faults without a request, repeats and doubled writes", () => {
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
  expect(note).toContain("1 of 3 plays under a fault sent no request");
  expect(note).toContain("oftener than wanted, all modes together: 2.");
  expect(note).toContain("left GitHub as it was: 1.");
});
