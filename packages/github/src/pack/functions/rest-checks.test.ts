import { describe, expect, it } from "vitest";
import { functions } from "./index.ts";

const run = { id: 4, name: "test", status: "completed", conclusion: "failure", details_url: "/4" };
const none = { checkRuns: [], workflowRuns: [], annotated: [], annotations: [], statuses: [] };

describe("checks over REST", () => {
  it("the REST route combines check runs, workflow runs, annotations and statuses into checks", () => {
    const note = { path: "a.ts", start_line: 9, annotation_level: "failure", message: "No" };
    const rest = {
      checkRuns: [
        { ...run, id: 3, name: "lint", check_suite: { id: 8 } },
        { ...run, check_suite: { id: 7 } },
      ],
      workflowRuns: [{ id: 70, name: "CI", suite: 7 }],
      annotated: [4],
      annotations: [[note]],
      statuses: [{ context: "cov", state: "pending", target_url: null }],
    };
    const checks = functions["checks"]!(functions["restContexts"]!(rest, {}), {});
    expect(checks).toMatchObject([
      { name: "lint", workflow: null, runId: null, annotations: [] },
      {
        name: "test",
        state: "FAILURE",
        workflow: "CI",
        runId: 70,
        link: "/4",
        annotations: [{ path: "a.ts", line: 9, level: "FAILURE", message: "No" }],
      },
      { name: "cov", state: "PENDING", bucket: "pending", link: null },
    ]);
  });

  it("the REST route reads a check run without a conclusion, suite or annotation text", () => {
    const checkRuns = [{ ...run, status: "queued", conclusion: null, check_suite: null }];
    const bare = { path: "a", start_line: 1, annotation_level: null, message: null };
    const rest = { ...none, checkRuns, annotated: [4], annotations: [[bare]] };
    expect(functions["checks"]!(functions["restContexts"]!(rest, {}), {})).toMatchObject([
      { state: "QUEUED", bucket: "pending", annotations: [{ level: null, message: "" }] },
    ]);
  });
});
