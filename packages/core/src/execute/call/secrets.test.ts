import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { CallError, fail, httpEnvelope } from "../../envelope/index.ts";
import { defineOperation, defineSubscription } from "../../operation/index.ts";
import type { Source } from "../../source/index.ts";
import { createWaybill } from "../index.ts";
import type { CallRecord, Waybill } from "../index.ts";

const token = `ghp_${"a1B2".repeat(9)}`;
const own = "correct horse battery";

const refuse = defineOperation({
  id: "issue.create",
  description: "Open an issue",
  handler: () => {
    throw fail("AUTH", `Bad credentials: ${token} and ${own}`, {
      hint: `sent Authorization: Bearer ${token}`,
      headers: { authorization: "x y", accept: "json" },
    });
  },
});
const warn = defineOperation({
  id: "issue.view",
  description: "Show an issue",
  effect: "read",
  handler: () => {
    const { data, meta } = httpEnvelope(1, { statusCode: 200, headers: {}, contentType: "" });
    return { data, meta: { ...meta, warnings: [`labels: ${token} may not read`] } };
  },
});
const burn = defineOperation({
  id: "issue.burn",
  description: "Fail badly",
  handler: () => {
    const inner = new Error(own, { cause: { said: token } });
    const outer = new TypeError(`no luck with ${token}`, { cause: inner });
    throw Object.assign(outer, { code: "ECONNRESET", request: { authorization: "x y" } });
  },
});

const records: CallRecord[] = [];
const waybill: Waybill = createWaybill({
  operations: [refuse, warn, burn],
  secrets: () => [own],
  observer: { onCall: (record) => records.push(record) },
});

describe("redaction of tokens in answers", () => {
  it("a token that an error repeats is removed from its message, details and hint", async () => {
    const { error } = await waybill.execute("issue.create");
    expect(error).toMatchObject({
      message: "Bad credentials: [redacted] and [redacted]",
      details: {
        hint: "sent Authorization: Bearer [redacted]",
        headers: { authorization: "[redacted]", accept: "json" },
      },
    });
  });

  it("a token that a warning repeats is removed from the warning", async () => {
    const { meta } = await waybill.execute("issue.view");
    expect(meta.warnings).toEqual(["labels: [redacted] may not read"]);
  });

  it("a token that the params of a call contain is removed from the records of an observer", async () => {
    records.length = 0;
    await waybill.execute("issue.create", { note: own, password: "hunter2", deep: [token] });
    const [record] = records as [CallRecord];
    const told = inspect(record, { depth: 20, showHidden: true });
    for (const secret of [token, own, "hunter2"]) expect(told).not.toContain(secret);
    expect(record.params).toEqual({
      note: "[redacted]",
      password: "[redacted]",
      deep: ["[redacted]"],
    });
    expect(record.error?.message).toBe("Bad credentials: [redacted] and [redacted]");
  });

  it("a token is removed from the causes of a failure that an observer gets", async () => {
    records.length = 0;
    await waybill.execute("issue.burn");
    const [{ error }] = records as [CallRecord];
    const told = inspect(error, { depth: 20, showHidden: true });
    for (const secret of [token, own, "x y"]) expect(told).not.toContain(secret);
    expect(error).toBeInstanceOf(CallError);
    expect(error?.cause).toMatchObject({
      name: "TypeError",
      message: "no luck with [redacted]",
      code: "ECONNRESET",
      request: { authorization: "[redacted]" },
      cause: { message: "[redacted]", cause: { said: "[redacted]" } },
    });
    expect(error?.cause).toHaveProperty("stack", expect.stringContaining("secrets.test.ts"));
  });

  it("a token is removed from a dry run", async () => {
    const { data } = await waybill.execute("issue.create", { api_key: token }, { dry_run: true });
    expect(data).toMatchObject({ requests: [{ input: { api_key: "[redacted]" } }] });
  });

  it("an approval code in an answer is not redacted as a secret", async () => {
    const one = createWaybill({ operations: [refuse], policy: { confirm: "writes" } });
    const { error } = await one.execute("issue.create");
    expect(error?.details?.["approve"]).toMatch(/^ok\d{24}$/);
  });
});

const shown = (value: unknown) => inspect(value, { depth: 10 });

describe("redaction of the secrets option", () => {
  const login = { task: "issue.view", input: {} };

  it("a configured secret is removed from all step results of a chain", async () => {
    const steps = [
      { task: `zz.${own}`, input: {} },
      { ...login, when: `'${own}' == 'x'` },
      { ...login, input: { $from: `s1.data."${own}"` } },
      { ...login, input: { $text: `{{ s1.data["${own}" }}` } },
    ];
    for (const dry_run of [true, false]) {
      const chain = await waybill.chain(steps, { dry_run });
      expect(chain.results).toHaveLength(4);
      expect(shown(chain)).not.toContain(own);
    }
    const misspelt = [{ ...login, [own]: 1 }];
    expect(shown((await waybill.chain(misspelt)).error)).not.toContain(own);
  });

  it("a configured secret in an unknown id is removed from the error, the record and explain", async () => {
    records.length = 0;
    expect(shown(await waybill.execute(`zz.${own}`))).not.toContain(own);
    expect(shown(records)).not.toContain(own);
    const explained = await waybill.explain(`zz.${own}`).catch((error: unknown) => error);
    expect(shown(explained)).not.toContain(own);
  });

  it("a configured secret is removed from values and failures of a subscription", async () => {
    const tell = defineSubscription({
      id: "log.follow",
      description: "Follow",
      effect: "read",
      handler: async function* () {
        yield { line: `pass ${own}` };
        throw fail("SERVER", `lost ${own}`);
      },
    });
    const one = createWaybill({ operations: [tell], secrets: () => [own] });
    const values = one.subscribe("log.follow");
    expect((await values.next()).value).toMatchObject({ data: { line: "pass [redacted]" } });
    const failure = await values.next().catch((error: unknown) => error);
    expect(shown(failure)).toContain("lost [redacted]");
    expect(shown(failure)).not.toContain(own);
  });

  it("a configured secret is removed from the report of a source that fails to load", async () => {
    const problems: unknown[] = [];
    const source: Source = {
      name: "mail",
      list: () => Promise.reject(new Error(`refused ${own}`)),
      describe: () => refuse.spec,
      runOf: () => ({ kind: "local", handler: () => null }),
      close: async () => {},
    };
    const observer = { onProblem: (problem: unknown) => problems.push(problem) };
    const one = createWaybill({ sources: [source], secrets: () => [own], observer });
    await one.list_capabilities();
    expect(problems).toMatchObject([{ source: "mail", message: "refused [redacted]" }]);
  });
});
