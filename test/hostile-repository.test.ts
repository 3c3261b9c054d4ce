import { describe, expect, it, onTestFinished } from "vitest";
import { ATTEMPTS } from "../examples/hostile-repository/attempts.ts";
import { Repository } from "../examples/hostile-repository/repository.ts";

describe("a hostile repository", () => {
  it("a hostile repository is tried in at least 20 ways", () => {
    expect(ATTEMPTS.length).toBeGreaterThanOrEqual(20);
  });

  it.each(ATTEMPTS.map((attempt) => [attempt.title, attempt] as const))(
    "gets nowhere with %s, and its user gets a clear sentence",
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
