import type { TimelineEvent } from "../../store/model.ts";
import { EVENT_NAMES } from "../../store/model.ts";
import { closingIssues } from "../../store/mutations/relations.ts";
import { nameWithOwner } from "../../store/facts.ts";
import { subjectHtml } from "../../urls.ts";
import type { Fields, TypeFields } from "../context.ts";
import { entityFields } from "./common.ts";
import { branchNode, commitNode } from "./git-nodes.ts";

/** The fields of all events. Each event type uses those that its schema has. */
const eventFields: Fields<TimelineEvent> = {
  ...entityFields,
  actor: ({ actor }) => actor,
  label: ({ facts }) => facts.label,
  labelable: ({ subject }) => subject,
  assignable: ({ subject }) => subject,
  assignee: ({ facts }) => facts.user ?? null,
  user: ({ facts }) => facts.user ?? null,
  milestoneTitle: ({ facts }) => facts.milestone?.title,
  previousTitle: ({ facts }) => facts.titles?.[0],
  currentTitle: ({ facts }) => facts.titles?.[1],
  subject: ({ subject, facts, type }) =>
    type === "ConnectedEvent" ? (facts.other ?? subject) : subject,
  source: ({ subject, facts, type }) => (type === "CrossReferencedEvent" ? facts.other : subject),
  target: ({ subject }) => subject,
  isCrossRepository: ({ subject, facts }) =>
    facts.other !== undefined && facts.other.repository !== subject.repository,
  closable: ({ subject }) => subject,
  closer: () => null,
  stateReason: ({ subject }) => (subject.type === "Issue" ? subject.stateReason : null),
  commit: ({ subject, facts }, _args, { store }) =>
    facts.commit === undefined ? null : commitNode(store, subject.repository, facts.commit),
  mergeRefName: ({ subject }) => (subject.type === "PullRequest" ? subject.baseRef : undefined),
  mergeRef: ({ subject }) =>
    subject.type === "PullRequest" ? branchNode(subject.repository, subject.baseRef) : null,
  pullRequest: ({ subject }) => subject,
  issue: ({ subject }) => subject,
  referencedAt: ({ createdAt }) => createdAt,
  willCloseTarget: ({ subject, facts }) =>
    facts.other?.type === "PullRequest" &&
    closingIssues(facts.other).some((one) => one === subject),
  lockable: ({ subject }) => subject,
  lockReason: ({ subject }) => subject.lockReason,
  requestedReviewer: ({ facts }) => facts.user ?? null,
  headRefName: ({ subject }) => (subject.type === "PullRequest" ? subject.headRef : undefined),
  headRef: ({ subject }) =>
    subject.type === "PullRequest" ? branchNode(subject.headRepository, subject.headRef) : null,
  fromRepository: () => null,
  url: ({ subject, id }, _args, { urls }) => `${subjectHtml(urls, subject)}#event-${id}`,
  resourcePath: ({ subject, id }) =>
    `/${nameWithOwner(subject.repository)}/issues/${subject.number}#event-${id}`,
};

/** Events without a GraphQL type appear only in REST's timeline. */
export const UNTYPED = /^(SubIssue|ParentIssue|BlockedBy)/;

export const eventTypes: TypeFields = Object.fromEntries(
  Object.keys(EVENT_NAMES)
    .filter((type) => !UNTYPED.test(type))
    .map((type) => [type, eventFields]),
);
