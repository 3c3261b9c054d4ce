import { describe, expect, it } from "vitest";
import { findMeantIds } from "./meant-ids.ts";

const RERUNS = [
  "pr.checks.rerun.all",
  "pr.checks.rerun.failed",
  "workflow.run.rerun.failed",
  "workflow.run.rerun.all",
];

describe("findMeantIds", () => {
  it.each(["workflow.run.rerun", "run.rerun", "runs.rerun"])(
    "the id %s reruns the whole workflow run, as gh run rerun does",
    (id) => {
      expect(findMeantIds(id, RERUNS)).toEqual(["workflow.run.rerun.all"]);
    },
  );

  it("the id run.rerun.failed reruns only the failed jobs of a workflow run", () => {
    expect(findMeantIds("run.rerun.failed", RERUNS)).toEqual(["workflow.run.rerun.failed"]);
  });
});
