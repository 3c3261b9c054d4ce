import { invalid } from "../store/errors.ts";
import type { Issue, PullRequest } from "../store/model.ts";
import type { RestCall } from "./call.ts";

type Subject = Issue | PullRequest;

function hasState(state: string): (subject: Subject) => boolean {
  if (state === "all") return () => true;
  if (state === "open") return (one) => one.state === "OPEN";
  if (state === "closed") return (one) => one.state !== "OPEN";
  throw invalid({ resource: "Issue", field: "state", code: "invalid", value: state });
}

/**
 * Applies a filter. If the value is undefined, the query has no such filter, and everything
 * matches.
 */
function asks(value: string | undefined, test: (value: string) => boolean): boolean {
  return value === undefined || value === "" || test(value);
}

export function filterIssues<S extends Subject>(call: RestCall, subjects: readonly S[]): S[] {
  const isWanted = hasState(call.query("state") ?? "open");
  const kept = subjects.filter(
    (one) =>
      isWanted(one) &&
      asks(call.query("labels"), (names) =>
        names.split(",").every((name) => one.labels.some((l) => l.name === name)),
      ) &&
      asks(call.query("creator"), (login) => one.author.login === login) &&
      asks(call.query("assignee"), (login) => isAssigned(one, login)) &&
      asks(call.query("milestone"), (number) => hasMilestone(one, number)) &&
      asks(call.query("since"), (time) => one.updatedAt >= time),
  );
  return sortSubjects(call, kept);
}

function isAssigned({ assignees }: Subject, login: string): boolean {
  if (login === "none") return assignees.length === 0;
  return login === "*" ? assignees.length > 0 : assignees.some((one) => one.login === login);
}

function hasMilestone({ milestone }: Subject, number: string): boolean {
  if (number === "none") return milestone === null;
  return number === "*" ? milestone !== null : milestone?.number === Number(number);
}

export function filterPulls(call: RestCall, pulls: readonly PullRequest[]): PullRequest[] {
  const isWanted = hasState(call.query("state") ?? "open");
  const kept = pulls.filter(
    (one) =>
      isWanted(one) &&
      asks(
        call.query("head"),
        (head) => `${one.headRepository.owner.login}:${one.headRef}` === head,
      ) &&
      asks(call.query("base"), (base) => one.baseRef === base),
  );
  return sortSubjects(call, kept);
}

function sortSubjects<S extends Subject>(call: RestCall, subjects: readonly S[]): S[] {
  const sort = call.query("sort") ?? "created";
  const key = (one: S): string => {
    if (sort === "comments") return String(one.comments.length).padStart(9, "0");
    return sort === "updated" ? one.updatedAt : one.createdAt;
  };
  const newest = subjects.toSorted((a, b) => key(b).localeCompare(key(a)) || b.number - a.number);
  return call.query("direction") === "asc" ? newest.toReversed() : newest;
}
