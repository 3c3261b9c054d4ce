import {
  createWaybill,
  defineOperation,
  defineSubscription,
  localSource,
  memoryHandles,
  memoryJournal,
} from "@waybill/core";
import { cardOperation, placedSource, prepareCard } from "@waybill/core/cards";
import { createCodeRunner, memoryRunLog, readProgramCalls } from "@waybill/code";
import type { Operation, Policy, Source, Waybill } from "@waybill/core";

/** One operation, and the policy that forbids it. */
export interface Target {
  readonly name: string;
  readonly id: string;
  readonly policy: Policy;
}

/** Every kind of operation name, each with a rule that must forbid it. */
export const TARGETS: readonly Target[] = [
  { name: "a denied id", id: "issue.create", policy: { deny: ["issue.*"] } },
  { name: "an id whose alias is denied", id: "issue.create", policy: { deny: ["issue.new"] } },
  { name: "an id that is not allowed", id: "issue.create", policy: { allow: ["via.*"] } },
  {
    name: "a write if the policy allows only reads",
    id: "issue.create",
    policy: { read_only: true },
  },
  { name: "a raw operation", id: "github.issues.create", policy: { deny: ["label.*"] } },
  { name: "a raw operation under allow *", id: "github.issues.create", policy: { allow: ["*"] } },
  {
    name: "an operation renamed because of an id conflict, denied by its original id",
    id: "theirs.issue.create",
    policy: { deny: ["issue.*"] },
  },
  {
    name: "an operation renamed because of an id conflict, allowed only by its original id",
    id: "theirs.issue.create",
    policy: { allow: ["issue.*", "via.*"] },
  },
  {
    name: "a project's read that looks like a write",
    id: "theirs.search",
    policy: { read_only: true },
  },
  { name: "a tool that needs trust", id: "theirs.tool", policy: {} },
  { name: "a tool that needs trust under allow *", id: "theirs.tool", policy: { allow: ["*"] } },
  { name: "a denied subscription", id: "issue.watch", policy: { deny: ["issue.watch"] } },
];

interface Made {
  readonly waybill: Waybill;
  /** The ids of the operations that ran. */
  readonly ran: string[];
}

/** An operation that calls the given id in both ways that handlers can use. */
function caller(id: string, call: "call" | "env"): Operation {
  return defineOperation({
    id,
    description: "Call another",
    effect: "read",
    input: { type: "object", properties: { task: { type: "string" } } },
    handler: async ({ task }, context) => {
      const answer = call === "call" ? context.call(task!, {}) : context.env.call(task!, {});
      return (await answer).data;
    },
  });
}

async function stepsTo(id: string): Promise<Operation> {
  const card = await prepareCard({
    capability_id: "via.steps",
    version: "1.0.0",
    description: "Call another as a step",
    effect: "destructive",
    input_schema: { type: "object" },
    output_schema: {},
    steps: [{ task: id }],
    output: {},
  });
  const facts = { facts: () => Promise.resolve({}), forget: () => {} };
  return cardOperation(card, { routes: [], facts, host: "", env: () => ({}) });
}

/** Programs are run in threads, which all shops share. */
export const runner = createCodeRunner({ log: memoryRunLog() });

/** A saved program that calls an operation. */
export async function programFor(id: string): Promise<Operation> {
  const code = `return await ${id}({});`;
  const { calls = [] } = await readProgramCalls(code);
  const card = await prepareCard({
    capability_id: "via.program",
    version: "1.0.0",
    description: "Call another from a saved program",
    effect: "destructive",
    input_schema: { type: "object" },
    output_schema: true,
    calls,
    code,
  });
  return cardOperation(card, { routes: [], programs: runner.programs });
}

function getSources(ran: string[]): Source[] {
  const operation = (id: string, effect: "read" | "write" = "write"): Operation =>
    defineOperation({ id, description: "Do it", effect, handler: () => ran.push(id) });
  const watch = defineSubscription({
    id: "issue.watch",
    description: "Watch",
    async *handler() {
      ran.push("issue.watch");
      yield 1;
    },
  });
  const create = operation("issue.create");
  const search = operation("theirs.search", "read");
  const tool = operation("theirs.tool", "read");
  const theirs = [
    operation("issue.create"),
    { ...search, spec: { ...search.spec, safe: true } },
    { ...tool, spec: { ...tool.spec, needsTrust: "theirs.tool needs trust. Run: waybill trust" } },
  ];
  const pack = localSource("github", [
    { ...create, spec: { ...create.spec, alsoCalled: ["issue.new"] } },
    watch,
  ]);
  const api = localSource("github", [operation("github.issues.create")]);
  return [
    placedSource(pack, { origin: "pack", anyIds: true }),
    placedSource(api, { origin: "pack", raw: true }),
    placedSource(localSource("theirs", theirs), { origin: "project", anyIds: true }),
  ];
}

/** A Waybill with every kind of operation, under a policy. */
export async function shop(id: string, policy: Policy): Promise<Made> {
  const ran: string[] = [];
  const waybill = createWaybill({
    operations: [
      caller("via.call", "call"),
      caller("via.env", "env"),
      await stepsTo(id),
      await programFor(id),
    ],
    sources: getSources(ran),
    handles: memoryHandles(),
    journal: memoryJournal(),
    policy: { confirm: "none", ...policy },
  });
  await waybill.list_capabilities();
  return { waybill, ran };
}
