import { EVENT_NAMES } from "../../store/model.ts";
import type { TimelineEvent } from "../../store/model.ts";
import { repoApi } from "../../urls.ts";
import type { Urls } from "../../urls.ts";
import { simpleUser } from "./account.ts";
import { issueView } from "./issue.ts";

/** An event with its details, under REST's names. */
export function eventView(urls: Urls, event: TimelineEvent): Record<string, unknown> {
  const { facts, subject, actor } = event;
  const api = repoApi(urls, subject.repository);
  const { label, user, milestone, titles, commit, other } = facts;
  return {
    id: event.id,
    node_id: event.nodeId,
    url: `${api}/issues/events/${event.id}`,
    actor: simpleUser(urls, actor),
    event: EVENT_NAMES[event.type],
    commit_id: commit ?? null,
    commit_url: commit === undefined ? null : `${api}/commits/${commit}`,
    created_at: event.createdAt,
    performed_via_github_app: null,
    ...(label === undefined ? {} : { label: { name: label.name, color: label.color } }),
    ...(milestone === undefined ? {} : { milestone: { title: milestone.title } }),
    ...(titles === undefined ? {} : { rename: { from: titles[0], to: titles[1] } }),
    ...(user === undefined ? {} : aboutUser(urls, event, simpleUser(urls, user))),
    ...(event.type === "CrossReferencedEvent" && other !== undefined
      ? { updated_at: event.createdAt, source: { type: "issue", issue: issueView(urls, other) } }
      : {}),
    ...(event.type === "LockedEvent" ? { lock_reason: subject.lockReason } : {}),
    ...(event.type === "ClosedEvent" && subject.type === "Issue"
      ? { state_reason: subject.stateReason?.toLowerCase() ?? null }
      : {}),
  };
}

function aboutUser(
  urls: Urls,
  { type, actor }: TimelineEvent,
  user: unknown,
): Record<string, unknown> {
  if (type === "AssignedEvent" || type === "UnassignedEvent") {
    return { assignee: user, assigner: simpleUser(urls, actor) };
  }
  return { requested_reviewer: user, review_requester: simpleUser(urls, actor) };
}
