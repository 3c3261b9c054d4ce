import { describe, expect, it } from "vitest";
import { createWaybill } from "../execute/index.ts";
import { defineOperation } from "../operation/index.ts";
import type { Operation } from "../operation/index.ts";
import { memoryJournal } from "../router/index.ts";

function named(id: string, alsoCalled: readonly string[], answer: string): Operation {
  const { spec, run } = defineOperation({
    id,
    description: `Does ${id}`,
    effect: "write",
    handler: () => answer,
  });
  return { spec: { ...spec, alsoCalled }, run };
}

describe("operations with alias ids", () => {
  it("a call by an alias id runs the operation under the operation's own id", async () => {
    const waybill = createWaybill({ operations: [named("issue.update", ["issue.edit"], "one")] });
    const { data, meta } = await waybill.execute("issue.edit");
    expect([data, meta.capability_id]).toEqual(["one", "issue.update"]);
    const { results } = await waybill.chain([{ task: "issue.edit" }]);
    expect(results[0]?.meta.capability_id).toBe("issue.update");
  });

  it("an answer names the operation that ran only if the call used an alias id", async () => {
    const waybill = createWaybill({ operations: [named("issue.update", ["issue.edit"], "one")] });
    const warnings = ["issue.edit means issue.update"];
    for (const options of [{}, { dry_run: true }]) {
      const { meta } = await waybill.execute("issue.edit", {}, options);
      expect(meta.warnings).toEqual(warnings);
    }
    const { results } = await waybill.chain([{ task: "issue.edit" }, { task: "issue.update" }]);
    expect(results.map(({ meta }) => meta.warnings)).toEqual([warnings, undefined]);
    expect(results.map(({ meta }) => meta.capability_id)).toEqual(["issue.update", "issue.update"]);
  });

  it("an alias id that is the own id of another operation calls that other operation, in any order of registration", async () => {
    const other = named("issue.edit", [], "two");
    for (const operations of [
      [named("issue.update", ["issue.edit"], "one"), other],
      [other, named("issue.update", ["issue.edit"], "one")],
    ]) {
      const waybill = createWaybill({ operations });
      expect((await waybill.execute("issue.edit")).data).toBe("two");
    }
  });

  it("an alias id that two operations have runs neither operation, and the error names the two", async () => {
    const one = named("issue.create", ["issue_write"], "one");
    const two = named("issue.update", ["issue_write"], "two");
    const waybill = createWaybill({ operations: [one, two] });
    const { error } = await waybill.execute("issue_write");
    expect(error?.code).toBe("NOT_FOUND");
    expect(error?.details?.did_you_mean).toEqual(["issue.create", "issue.update"]);
  });

  it("a policy that denies an operation's own id also denies calls by its alias ids", async () => {
    const waybill = createWaybill({
      operations: [named("issue.update", ["issue.edit"], "one")],
      policy: { deny: ["issue.update"] },
    });
    const { error, meta } = await waybill.execute("issue.edit");
    expect([error?.code, meta.warnings]).toEqual(["POLICY", undefined]);
  });

  it("a keyed write that is called by its own id and then by an alias id runs once", async () => {
    const waybill = createWaybill({
      operations: [named("issue.update", ["issue.edit"], "one")],
      journal: memoryJournal(),
    });
    const options = { idempotency_key: "k" };
    await waybill.execute("issue.update", {}, options);
    expect((await waybill.execute("issue.edit", {}, options)).meta.replayed).toBe(true);
  });
});

/** An operation that returns its input. */
function echo(id: string, spec: Partial<Operation["spec"]>): Operation {
  const who = { type: "array", items: { type: "string" } };
  const properties = { a: { type: "string" }, event: { type: "string" }, job: {}, who } as const;
  const made = defineOperation({
    id,
    description: `Does ${id}`,
    effect: "write",
    input: { type: "object", properties },
    handler: (input) => input,
  });
  return { ...made, spec: { ...made.spec, ...spec } };
}

describe("ids that contain the value of an input", () => {
  const other = echo("issue.comments.list", {
    alsoCalled: ["issue_read?method=get_comments", "issue.view?job"],
    idInputs: { "issue_read?method=get_comments": { event: "list" } },
  });
  const operations = [echo("issue.view", { alsoCalled: ["issue.get"] }), other];

  it("an alias id with an input value, such as issue_read?method=get, chooses the operation and removes the input", async () => {
    const waybill = createWaybill({ operations });
    const params = { method: "get_comments", a: "1" };
    const { data, meta } = await waybill.execute("issue_read", params);
    expect([data, meta.capability_id]).toEqual([{ a: "1", event: "list" }, other.spec.id]);
    const { results } = await waybill.chain([{ task: "issue_read", input: params }]);
    expect(results[0]).toMatchObject({ data: { event: "list" } });
  });

  it("an alias id with an input name, such as issue.view?job, chooses the operation and keeps the input", async () => {
    const waybill = createWaybill({ operations, policy: { deny: ["nothing"] } });
    const { data, meta } = await waybill.execute("issue.get", { job: 3 });
    expect([data, meta.capability_id]).toEqual([{ job: 3 }, other.spec.id]);
    expect((await waybill.execute("issue.get", { a: "1" })).meta.capability_id).toBe("issue.view");
  });

  it("a call by an alias id returns NOT_FOUND if no operation has the input value in that alias id", async () => {
    const { error } = await createWaybill({ operations }).execute("issue_read", { method: "x" });
    expect(error?.code).toBe("NOT_FOUND");
  });
});

describe("the inputs that an id stands for", () => {
  const idInputs = { "pr.approve": { event: "APPROVE" } };
  const operations = [echo("pr.review", { alsoCalled: ["pr.approve"], idInputs })];

  it("a chain sets the inputs that an alias id implies, even if a step uses values of another step", async () => {
    const { results } = await createWaybill({ operations }).chain([
      { id: "one", task: "pr.approve", input: { a: "x" } },
      { id: "two", task: "pr.approve", input: { a: { $from: "one.data.a" } } },
    ]);
    expect(results.map(({ data }) => data)).toEqual([
      { a: "x", event: "APPROVE" },
      { a: "x", event: "APPROVE" },
    ]);
  });
});

describe("a policy that denies another id", () => {
  const idInputs = { "pr.approve": { event: "APPROVE" } };
  const alsoCalled = ["pr.approve", "review.submit"];
  const operations = [echo("pr.review", { alsoCalled, idInputs })];
  const code = async (deny: string, id: string, params: object) => {
    const waybill = createWaybill({ operations, policy: { deny: [deny] } });
    return (await waybill.execute(id, params)).error?.code;
  };

  it("a policy that denies an alias id refuses calls with the same inputs under any id of the operation", async () => {
    expect(await code("pr.approve", "pr.approve", {})).toBe("POLICY");
    expect(await code("pr.approve", "pr.review", { event: "APPROVE" })).toBe("POLICY");
    expect(await code("pr.approve", "review.submit", { event: "approve" })).toBe("POLICY");
    expect(await code("pr.approve", "pr.review", { event: "COMMENT" })).toBeUndefined();
    expect(await code("review.submit", "pr.review", {})).toBe("POLICY");
  });

  it("a policy that denies an alias id for a list item refuses every call whose list has that item", async () => {
    const asksBot = echo("pr.ask", {
      alsoCalled: ["bot.ask"],
      idInputs: { "bot.ask": { who: ["bot"] } },
    });
    const waybill = createWaybill({ operations: [asksBot], policy: { deny: ["bot.ask"] } });
    const ask = async (who: string[]) => (await waybill.execute("pr.ask", { who })).error?.code;
    expect([await ask(["bot"]), await ask(["ada", "bot", "bot"])]).toEqual(["POLICY", "POLICY"]);
    expect(await ask(["ada"])).toBeUndefined();
  });

  it("a deny pattern of the policy refuses the alias ids that it matches, and not the other ids of the operation", async () => {
    expect(await code("review.*", "review.submit", {})).toBe("POLICY");
    expect(await code("review.*", "pr.review", {})).toBeUndefined();
  });
});

describe("an operation that completes its input", () => {
  const me = defineOperation({
    id: "user.me",
    description: "Shows the caller",
    effect: "read",
    handler: () => "ada",
  });
  const completed = echo("issue.assign", {
    completeInput: (input, look) =>
      input["a"] === "@me"
        ? look("user.me").then(({ data }) => ({ ...input, a: data }))
        : undefined,
  });

  it("an operation with completeInput replaces @me before it runs, but not in a dry run", async () => {
    const waybill = createWaybill({ operations: [me, completed], journal: memoryJournal() });
    const call = ["issue.assign", { a: "@me" }] as const;
    expect((await waybill.execute(...call, { idempotency_key: "k" })).data).toEqual({ a: "ada" });
    expect((await waybill.execute("issue.assign", { a: "bob" })).data).toEqual({ a: "bob" });
    const { data } = await waybill.execute(...call, { dry_run: true });
    expect(JSON.stringify(data)).toContain("@me");
  });
});
