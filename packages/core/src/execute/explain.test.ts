import { describe, expect, it } from "vitest";
import { Type } from "typebox";
import { defineOperation } from "../operation/index.ts";
import { localSource } from "../source/index.ts";
import type { Source, SourceProblem } from "../source/index.ts";
import { createWaybill, explainText } from "./index.ts";

const view = defineOperation({
  id: "issue.view",
  description: "Shows an issue. It takes a while!\nFor people: see the manual.",
  effect: "read",
  input: {
    type: "object",
    required: ["number"],
    properties: {
      number: { type: "integer" },
      state: { enum: ["open", "closed"], default: "open" },
      labels: { type: "array", items: { type: "string" } },
    },
  },
  output: Type.Object({
    title: Type.String(),
    author: Type.Object({ login: Type.String() }),
  }),
  notes: ["Slow on large issues"],
  handler: () => ({ title: "", author: { login: "" } }),
});
const ping = defineOperation({ id: "net.ping", description: "Answers", handler: () => "pong" });
const waybill = createWaybill({ operations: [view, ping] });

describe("description of a capability", () => {
  it("explain returns the purpose, effect, inputs, output fields, routes and notes of a capability", async () => {
    expect(await waybill.explain("issue.view")).toEqual({
      capability_id: "issue.view",
      purpose: "Shows an issue.",
      effect: "read",
      required_inputs: ["number:integer"],
      optional_inputs: ["state:open|closed=open", "labels:string[]"],
      output_fields: ["title", "author:{login}"],
      preferred_route: "local",
      fallback_routes: [],
      notes: ["Slow on large issues"],
    });
  });

  it("explainText prints effect, purpose, inputs, output, route and notes in at most five lines", async () => {
    const [issue, pong] = [await waybill.explain("issue.view"), await waybill.explain("net.ping")];
    expect(explainText(issue)).toBe(`issue.view (read) Shows an issue.
in: number:integer, state?:open|closed=open, labels?:string[]
out: title, author:{login}
via: local
note: Slow on large issues`);
    expect(explainText(pong)).toBe(`net.ping (write) Answers
in: nothing
out: anything
via: local`);
  });

  it("explain returns empty lists of inputs and outputs for an operation without schemas", async () => {
    expect(await waybill.explain("net.ping")).toEqual({
      capability_id: "net.ping",
      purpose: "Answers",
      effect: "write",
      required_inputs: [],
      optional_inputs: [],
      output_fields: [],
      preferred_route: "local",
      fallback_routes: [],
    });
  });

  it("explain throws for an unknown id, with the nearest ids and a signature", async () => {
    await expect(waybill.explain("issue.veiw")).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
      details: {
        did_you_mean: ["issue.view"],
        signature: "issue.view(number:integer, state?:open|closed=open, labels?:string[])",
      },
    });
    await expect(waybill.explain(undefined as unknown as string)).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
    });
  });

  it("explain hides the message of an internal error and reports it under a request id", async () => {
    const problems: SourceProblem[] = [];
    const broken: Source = {
      ...localSource("issue", [view]),
      describe() {
        throw new Error("/etc/secret is not there");
      },
    };
    const observer = { onProblem: (problem: SourceProblem) => void problems.push(problem) };
    const asked = createWaybill({ sources: [broken], observer }).explain("issue.view");
    const error = await asked.catch((thrown: unknown) => thrown as Error);
    const [, requestId] = /look for request (\S+) in the log$/.exec((error as Error).message)!;
    expect(problems).toMatchObject([
      { operationId: "issue.view", message: `${requestId}: /etc/secret is not there` },
    ]);
  });
});
