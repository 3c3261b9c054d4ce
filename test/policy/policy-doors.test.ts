import {
  PendingRequestMap,
  createWaybill,
  defineOperation,
  memoryHandles,
  memoryJournal,
} from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import { connectNats, natsSource, serveNats } from "@waybill/nats";
import type { NatsLink } from "@waybill/nats";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../support/nats.ts";
import { DOORS } from "./doors.ts";
import type { Door } from "./doors.ts";
import { TARGETS, programFor, runner, shop } from "./shop.ts";
import type { Target } from "./shop.ts";

const doors = Object.entries(DOORS);
afterAll(() => runner.close());

/** A subscription is refused even before the policy is checked. Nothing runs in either case. */
function isOtherwiseRefused(door: string, { id }: Target): boolean {
  return id === "issue.watch" && door === "an id of the call protocol";
}

/** A subscription is not a tool, because a tool answers once. */
const cases = TARGETS.flatMap((target) =>
  doors
    .filter(([door]) => target.id !== "issue.watch" || door !== "an MCP tool")
    .map(([door, enter]) => [target.name, door, target, enter] as const),
);

describe("policy", () => {
  it.each(cases)(
    "the policy refuses the call of %s, made by %s",
    async (_name, door, target, enter) => {
      const { waybill, ran } = await shop(target.id, target.policy);
      const code = await enter(waybill, target.id);
      expect(ran).toEqual([]);
      expect(code).toBe(isOtherwiseRefused(door, target) ? "ADAPTER_UNSUPPORTED" : "POLICY");
    },
  );

  const working = doors.filter(([door]) => door !== "HTTP subscribe" && door !== "a dry run");
  it.each(working)("an empty policy allows a call by %s", async (_door, enter: Door) => {
    const { waybill, ran } = await shop("issue.create", {});
    expect(await enter(waybill, "issue.create")).toBeUndefined();
    expect(ran).toEqual(["issue.create"]);
  });

  it("a policy hides from lists all capabilities except those that may be called or wait for trust", async () => {
    const { waybill } = await shop("issue.create", { deny: ["issue.*"] });
    const ids = async (query?: string) =>
      (await waybill.list_capabilities(query === undefined ? {} : { query })).map(
        ({ capability_id }) => capability_id,
      );
    const listed = [
      "result.read",
      "theirs.search",
      "theirs.tool",
      "via.call",
      "via.env",
      "via.program",
      "via.steps",
    ];
    expect(await ids()).toEqual(listed);
    expect(await ids("create an issue")).not.toContain("github.issues.create");
    expect(await ids("do it")).not.toContain("theirs.issue.create");
  });
});

describe("approval", () => {
  const remove = defineOperation({
    id: "item.delete",
    description: "Delete",
    effect: "destructive",
    handler: () => "gone",
  });
  const nested = defineOperation({
    id: "via.call",
    description: "Call another",
    effect: "write",
    handler: async (_input, context) => (await context.call("item.delete")).data,
  });

  it.each(doors.filter(([door]) => !/steps|env|HTTP subscribe|dry/u.test(door)))(
    "a destructive call by %s requires an approval",
    async (_door, enter) => {
      const operations = [remove, nested, await programFor("item.delete")];
      const waybill = createWaybill({ operations, journal: memoryJournal() });
      expect(await enter(waybill, "item.delete")).toBe("POLICY");
    },
  );

  it("the approval code of a pending call is hidden from its caller", async () => {
    const waybill = createWaybill({ operations: [remove], policy: { approvals: "person" } });
    const answers = JSON.stringify([
      await waybill.execute("item.delete"),
      await waybill.chain([{ task: "item.delete" }]),
      await waybill.execute("item.delete", {}, { trace: true }),
    ]);
    expect(answers).toContain('"approval":"ap_');
    expect(answers).not.toContain('"approve"');
    expect(answers).not.toMatch(/ok\d{24}/u);
  });
});

describe("handles", () => {
  it("a handle of a stored result is hidden from other callers, for every kind of call", async () => {
    const big = defineOperation({
      id: "log.read",
      description: "A long text",
      handler: () => "secret ".repeat(5_000),
    });
    const waybill = createWaybill({ operations: [big], handles: memoryHandles() });
    const [ada, bob] = ["ada", "bob"].map((id) => waybill.as({ id, scopes: [] }));
    const { meta } = await ada!.execute("log.read", {}, { max_tokens: 200 });
    const params = { handle: meta.handle! };
    expect((await ada!.execute("result.read", params)).ok).toBe(true);
    const denied = createWaybill({ handles: memoryHandles(), policy: { deny: ["result.*"] } });
    expect((await denied.execute("result.read", params)).error?.code).toBe("POLICY");
    expect((await bob!.execute("result.read", params)).error?.code).toBe("NOT_FOUND");
    const chained = await bob!.chain([{ task: "result.read", input: params }]);
    expect(chained.results[0]?.error?.code).toBe("NOT_FOUND");
  });
});

describeWithServer((server) => {
  async function linkTo(service: string): Promise<NatsLink> {
    const link = await connectNats({ servers: server().url, service });
    onTestFinished(() => link.close());
    return link;
  }

  describe("policy of a worker on NATS", () => {
    it.each(TARGETS.map((target) => [target.name, target] as const))(
      "a NATS worker refuses every caller that calls %s",
      async (_name, { id, policy }) => {
        const service = newService();
        const { waybill, ran } = await shop(id, policy);
        await serveNats(await linkTo(service), waybill);
        const link = await linkTo(service);
        const calls = new PendingRequestMap({ transport: link.transport });
        expect((await executeRemotely(calls, id)).error?.code).toBe("POLICY");
        const remote = createWaybill({ sources: [natsSource("far", link)] });
        onTestFinished(() => remote.close());
        const watching = remote.subscribe(`far.${id}`).next();
        await expect(watching).rejects.toMatchObject({ details: { code: "POLICY" } });
        expect(ran).toEqual([]);
      },
    );
  });
});
