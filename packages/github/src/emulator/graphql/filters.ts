import type { Input } from "../input.ts";
import type { Issue, PullRequest } from "../store/model.ts";
import { ordered } from "./order.ts";

type Subject = Issue | PullRequest;

const KEYS = {
  CREATED_AT: ({ createdAt, number }: Subject) => `${createdAt}:${String(number).padStart(9, "0")}`,
  UPDATED_AT: ({ updatedAt, number }: Subject) => `${updatedAt}:${String(number).padStart(9, "0")}`,
  COMMENTS: ({ comments }: Subject) => comments.length,
};

function hasLabels({ labels }: Subject, names: readonly string[] | undefined): boolean {
  return (
    names === undefined || names.length === 0 || labels.some(({ name }) => names.includes(name))
  );
}

/** Null matches objects without a value; an asterisk matches objects with any value. */
function matchesFilter(filter: Input, name: string, own: readonly string[]): boolean {
  if (!filter.has(name)) return true;
  const value = filter.text(name) ?? filter.number(name)?.toString();
  if (value === undefined || value === "") return own.length === 0;
  return value === "*" ? own.length > 0 : own.includes(value);
}

export function filterIssues(subjects: readonly Subject[], args: Input): Subject[] {
  const by = args.child("filterBy");
  const states = args.choices("states") ?? by.choices("states");
  const kept = subjects.filter(
    (one) =>
      (states === undefined || states.includes(one.state)) &&
      hasLabels(one, args.texts("labels")) &&
      hasLabels(one, by.texts("labels")) &&
      matchesFilter(
        by,
        "assignee",
        one.assignees.map(({ login }) => login),
      ) &&
      matchesFilter(by, "createdBy", [one.author.login]) &&
      matchesFilter(
        by,
        "milestoneNumber",
        one.milestone === null ? [] : [String(one.milestone.number)],
      ) &&
      matchesFilter(by, "milestone", one.milestone === null ? [] : [one.milestone.nodeId]) &&
      matchesFilter(
        by,
        "mentioned",
        [...one.body.matchAll(/@([\w-]+)/g)].map(([, login]) => login!),
      ) &&
      one.updatedAt >= by.string("since"),
  );
  return ordered(kept, args, KEYS);
}

export function filterPulls(subjects: readonly Subject[], args: Input): Subject[] {
  const [states, base, head] = [
    args.choices("states"),
    args.text("baseRefName"),
    args.text("headRefName"),
  ];
  const kept = subjects.filter(
    (one) =>
      one.type === "PullRequest" &&
      (states === undefined || states.includes(one.state)) &&
      (base === undefined || one.baseRef === base) &&
      (head === undefined || one.headRef === head) &&
      hasLabels(one, args.texts("labels")),
  );
  return ordered(kept, args, KEYS);
}
