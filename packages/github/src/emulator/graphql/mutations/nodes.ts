import { StoreError, notFound } from "../../store/errors.ts";
import type {
  AnyEntity,
  Issue,
  Label,
  Milestone,
  PullRequest,
  Repository,
  User,
} from "../../store/model.ts";
import type { Input } from "../../input.ts";
import type { Context } from "../context.ts";
import { findNode } from "../types/query.ts";

type Named<T extends AnyEntity["type"]> = Extract<AnyEntity, { readonly type: T }>;

/** Finds an object by an id in the input. The id of another type counts as not found. */
export function nodeAt<T extends AnyEntity["type"]>(
  context: Context,
  id: string | undefined,
  ...types: readonly T[]
): Named<T> {
  const given = id ?? "";
  findNode(given, context);
  const entity = context.store.node(given);
  const found = types.find((type) => type === entity?.type);
  if (found === undefined)
    throw notFound(`${types.join(" or ")} node with the global id of '${given}'`);
  // The cast is safe, because the type was compared above.
  return entity as Named<T>;
}

export function issueAt(context: Context, id: string | undefined): Issue {
  return nodeAt(context, id, "Issue");
}

export function pullAt(context: Context, input: Input): PullRequest {
  return nodeAt(context, input.text("pullRequestId"), "PullRequest");
}

export function subjectAt(context: Context, id: string | undefined): Issue | PullRequest {
  return nodeAt(context, id, "Issue", "PullRequest");
}

export function repositoryAt(context: Context, id: string | undefined): Repository {
  return nodeAt(context, id, "Repository");
}

export function labelsAt(
  context: Context,
  ids: readonly string[] | undefined,
): Label[] | undefined {
  return ids?.map((id) => nodeAt(context, id, "Label"));
}

export function usersAt(context: Context, ids: readonly string[] | undefined): User[] | undefined {
  return ids?.map((id) => nodeAt(context, id, "User"));
}

/** Null removes the milestone; an absent value keeps it. */
export function milestoneAt(context: Context, input: Input): Milestone | null | undefined {
  const id = input.textOrNull("milestoneId");
  return typeof id === "string" ? nodeAt(context, id, "Milestone") : id;
}

export function knownValue<T extends string>(
  value: string | undefined,
  ...known: readonly T[]
): T | undefined {
  const found = known.find((one) => one === value);
  if (value !== undefined && found === undefined) {
    throw new StoreError("UNPROCESSABLE", `${value} is not one of ${known.join(", ")}`);
  }
  return found;
}
