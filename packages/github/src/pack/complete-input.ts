import { isRecord } from "@waybill/core/schema";
import type { Operation, OperationContext, OperationSpec } from "@waybill/core";
import type { Params } from "./reading.ts";

type Look = OperationContext["look"];
type Complete = NonNullable<OperationSpec["completeInput"]>;

async function readField(look: Look, id: string, input: Params, field: string): Promise<unknown> {
  const { data } = await look(id, input);
  return isRecord(data) ? data[field] : undefined;
}

/** The inputs in which GitHub does not accept `@me`. Filters and searches do accept it. */
const LOGINS = ["assignees", "addAssignees", "removeAssignees", "reviewers"];
const ME = "@me";

async function withLogin(input: Params, names: readonly string[], look: Look): Promise<Params> {
  const login = await readField(look, "user.me", {}, "login");
  const named = names.map((name) => {
    const logins = input[name] as readonly unknown[];
    return [name, logins.map((each) => (each === ME ? login : each))];
  });
  return { ...input, ...(Object.fromEntries(named) as Params) };
}

/** Replaces `@me` in lists of logins, as `gh` does. */
const completeLogins: Complete = (input, look) => {
  const names = LOGINS.filter((name) => {
    const logins = input[name];
    return Array.isArray(logins) && logins.includes(ME);
  });
  return names.length === 0 ? undefined : withLogin(input, names, look);
};

async function withoutOwnLogin(input: Params, look: Look): Promise<Params> {
  const { owner, ...others } = input;
  const login = await readField(look, "user.me", {}, "login").catch(() => undefined);
  return String(login).toLowerCase() === String(owner).toLowerCase() ? others : input;
}

/**
 * Removes the owner if it is the caller, because GitHub has separate endpoints for repositories of
 * the caller and of organisations.
 */
const completeOwner: Complete = (input, look) =>
  input["owner"] === undefined ? undefined : withoutOwnLogin(input, look);

async function withDefaultBranch(input: Params, look: Look): Promise<Params> {
  const { owner, name } = input;
  return { ...input, ref: await readField(look, "repo.view", { owner, name }, "defaultBranch") };
}

/** `gh` runs a workflow on the default branch if no other is given. */
const completeRef: Complete = (input, look) =>
  input["ref"] === undefined ? withDefaultBranch(input, look) : undefined;

interface Workflow {
  readonly id: number;
  readonly name: string;
}

async function withWorkflowId(input: Params, look: Look): Promise<Params> {
  const { owner, name, workflowId } = input;
  const found = await readField(look, "workflow.list", { owner, name, first: 100 }, "items");
  const wanted = String(workflowId).toLowerCase();
  const same = (found as readonly Workflow[]).filter((each) => each.name.toLowerCase() === wanted);
  return same.length === 1 ? { ...input, workflowId: same[0]!.id } : input;
}

/**
 * Replaces a workflow's name by its id, as `gh` does. GitHub's API accepts only the id and the file
 * name.
 */
const completeWorkflow: Complete = (input, look) => {
  const { workflowId } = input;
  const isName = typeof workflowId === "string" && !/^\d+$|\.ya?ml$/iu.test(workflowId);
  return isName ? withWorkflowId(input, look) : undefined;
};

async function completeBoth(input: Params, look: Look): Promise<Params> {
  const byId = (await completeWorkflow(input, look)) ?? input;
  return (await completeRef(byId, look)) ?? byId;
}

const BY_ID: Readonly<Record<string, Complete>> = {
  "repo.create": completeOwner,
  "workflow.dispatch": completeBoth,
  "workflow.runs.list": completeWorkflow,
  "workflow.view": completeWorkflow,
};

/** Completes inputs that need another read first. Most calls need none. */
export function withCompleteInput(operation: Operation): Operation {
  const { spec } = operation;
  const properties = isRecord(spec.inputSchema) ? spec.inputSchema["properties"] : undefined;
  const hasLogins = LOGINS.some((name) => isRecord(properties) && Object.hasOwn(properties, name));
  const completeInput = BY_ID[spec.id] ?? (hasLogins ? completeLogins : undefined);
  return completeInput === undefined
    ? operation
    : { ...operation, spec: { ...spec, completeInput } };
}
