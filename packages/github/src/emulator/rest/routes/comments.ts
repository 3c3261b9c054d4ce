import { invalid } from "../../store/errors.ts";
import type { IssueComment, Reactable, ReactionContent, TimelineEvent } from "../../store/model.ts";
import { addComment, deleteComment, updateComment } from "../../store/mutations/conversations.ts";
import { addReaction, removeReaction } from "../../store/mutations/reactions.ts";
import type { Handler, RestCall, Routes } from "../call.ts";
import { listReply } from "../pages.ts";
import { created, json, noContent, ok } from "../reply.ts";
import { REACTIONS, commentView, reactionView } from "../views/issue.ts";
import { eventView } from "../views/event.ts";
import { reviewView } from "../views/pull.ts";
import { commitView } from "../views/git.ts";
import { pullCommits } from "../../store/pull-facts.ts";

function findComment(call: RestCall): IssueComment {
  const all = [...call.repository.issues.values()].flatMap(({ comments }) => comments);
  return call.pick(all, "comment_id");
}

function commentBody({ body }: RestCall): string {
  const text = body.text("body");
  if (text !== undefined) return text;
  throw invalid({ resource: "IssueComment", field: "body", code: "missing_field" });
}

function reactionContent(text: string | undefined): ReactionContent {
  const contents = Object.keys(REACTIONS) as ReactionContent[];
  const found = contents.find((one) => REACTIONS[one] === text);
  if (found !== undefined) return found;
  throw invalid({ resource: "Reaction", field: "content", code: "invalid", value: text });
}

/** The routes that list, add and remove reactions, for everything that can have reactions. */
function reactionRoutes(path: string, subjectOf: (call: RestCall) => Reactable): Routes {
  const list: Handler = (call) => {
    const content = call.query("content");
    const { reactions } = subjectOf(call);
    const kept =
      content === undefined
        ? reactions
        : reactions.filter((one) => one.content === reactionContent(content));
    return listReply(call, kept, (one) => reactionView(call.urls, one));
  };
  return {
    [`GET ${path}/reactions`]: list,
    [`POST ${path}/reactions`]: (call) => {
      const content = reactionContent(call.body.text("content"));
      const { reaction, isNew } = addReaction(call.store, call.viewer, subjectOf(call), content);
      return json(isNew ? 201 : 200, reactionView(call.urls, reaction));
    },
    [`DELETE ${path}/reactions/{reaction_id}`]: (call) => {
      removeReaction(call.store, call.pick(subjectOf(call).reactions, "reaction_id"));
      return noContent;
    },
  };
}

/** The events of an issue. References appear only in the timeline. */
function getEvents({ subject }: RestCall): TimelineEvent[] {
  return subject.timeline.filter(({ type }) => type !== "CrossReferencedEvent");
}

/** Events, comments, reviews and commits in one list, oldest first. */
function findTimeline(call: RestCall): unknown[] {
  const { store, urls, subject } = call;
  const rows: [time: string, view: unknown][] = [
    ...subject.timeline.map((one): [string, unknown] => [one.createdAt, eventView(urls, one)]),
    ...subject.comments.map((one): [string, unknown] => [
      one.createdAt,
      { event: "commented", ...commentView(urls, one), actor: commentView(urls, one)["user"] },
    ]),
  ];
  if (subject.type === "PullRequest") {
    const place = { store, urls, repository: subject.repository };
    for (const review of subject.reviews) {
      if (review.submittedAt === null) continue;
      rows.push([review.submittedAt, { event: "reviewed", ...reviewView(urls, review) }]);
    }
    for (const commit of pullCommits(store, subject)) {
      const { author, committer, message, ...rest } = commit;
      const { node_id, html_url } = commitView(place, commit);
      rows.push([
        committer.date,
        { event: "committed", sha: rest.oid, node_id, html_url, author, committer, message },
      ]);
    }
  }
  return rows.toSorted(([a], [b]) => a.localeCompare(b)).map(([, view]) => view);
}

const ISSUES = "/repos/{owner}/{repo}/issues";
const ISSUE = `${ISSUES}/{issue_number}`;
const COMMENT = `${ISSUES}/comments/{comment_id}`;

export const commentRoutes: Routes = {
  [`GET ${ISSUES}/comments`]: (call) => {
    const all = [...call.repository.issues.values()].flatMap(({ comments }) => comments);
    // Like GitHub, ignores the direction if there is no field to sort by.
    const isTurned = call.query("sort") !== undefined && call.query("direction") === "desc";
    const sorted = all.toSorted((a, b) => (isTurned ? b.id - a.id : a.id - b.id));
    return listReply(call, sorted, (one) => commentView(call.urls, one));
  },
  [`GET ${ISSUE}/comments`]: (call) => {
    const since = call.query("since") ?? "";
    const kept = call.subject.comments.filter(({ updatedAt }) => updatedAt >= since);
    return listReply(call, kept, (one) => commentView(call.urls, one));
  },
  [`POST ${ISSUE}/comments`]: (call) =>
    created(
      commentView(call.urls, addComment(call.store, call.viewer, call.subject, commentBody(call))),
    ),
  [`GET ${COMMENT}`]: (call) => ok(commentView(call.urls, findComment(call))),
  [`PATCH ${COMMENT}`]: (call) => {
    const comment = findComment(call);
    updateComment(call.store, call.viewer, comment, commentBody(call));
    return ok(commentView(call.urls, comment));
  },
  [`DELETE ${COMMENT}`]: (call) => {
    deleteComment(call.store, call.viewer, findComment(call));
    return noContent;
  },
  ...reactionRoutes(ISSUE, (call) => call.subject),
  ...reactionRoutes(COMMENT, findComment),
  ...reactionRoutes("/repos/{owner}/{repo}/pulls/comments/{comment_id}", (call) => {
    const pulls = [...call.repository.issues.values()].filter((one) => one.type === "PullRequest");
    return call.pick(
      pulls.flatMap(({ threads }) => threads).flatMap(({ comments }) => comments),
      "comment_id",
    );
  }),
  [`GET ${ISSUE}/events`]: (call) =>
    listReply(call, getEvents(call), (one) => eventView(call.urls, one)),
  [`GET ${ISSUE}/timeline`]: (call) => listReply(call, findTimeline(call), (one) => one),
};
