import { describe, expect, it, onTestFinished } from "vitest";
import { ATTEMPTS } from "../examples/hostile-repository/attempts.ts";
import { Repository } from "../examples/hostile-repository/repository.ts";

describe("hostile repository", () => {
  it("the example of a hostile repository has at least 20 attacks", () => {
    expect(ATTEMPTS.length).toBeGreaterThanOrEqual(20);
  });

  it.each(ATTEMPTS.map((attempt) => [attempt.title, attempt] as const))(
    "Waybill stops this attack of a hostile repository and shows the user a clear message: %s",
    async (_title, { run, says, hides }) => {
      const repository = await Repository.clone();
      onTestFinished(() => repository.remove());
      const { all } = await run(repository);
      expect(all).toMatch(says);
      expect(hides?.exec(all) ?? null).toBeNull();
      expect(repository.attacker.seen).toEqual([]);
      expect(repository.isTrapped).toBe(false);
    },
  );
});
