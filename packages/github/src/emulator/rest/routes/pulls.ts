import { diffText, changesBetween } from "../../git/index.ts";
import type { GitCommit } from "../../git/index.ts";
import { given } from "../../input.ts";
import { StoreError, invalid } from "../../store/errors.ts";
import { findUser, lookUpRepository } from "../../store/find.ts";
import type { MergeMethod, PullRequest, Repository, User } from "../../store/model.ts";
import { mergePull, updateBranch } from "../../store/mutations/merge.ts";
import * as pulls from "../../store/mutations/pulls.ts";
import { pullChanges, pullCommits } from "../../store/pull-facts.ts";
import type { RestCall, Routes } from "../call.ts";
import { filterPulls } from "../filters.ts";
import { listReply } from "../pages.ts";
import { created, json, noContent, ok, raw } from "../reply.ts";
import type { Reply } from "../reply.ts";
import { changeView, commitView } from "../views/git.ts";
import { pullView, simplePull } from "../views/pull.ts";

export function getPulls({ issues }: Repository): PullRequest[] {
  return [...issues.values()].filter((one) => one.type === "PullRequest");
}

/** Reads "branch", "owner:branch", or a branch of the repository in head_repo. */
function pullHead({ store, viewer, repository, body }: RestCall): {
  head: string;
  headRepository: Repository;
} {
  const text = body.string("head");
  const [first = "", second] = text.split(/:(.*)/s);
  if (second === undefined) return { head: first, headRepository: repository };
  const family = (one: Repository): boolean => one === repository || one.parent === repository;
  const found = store.repositories.find(
    (one) => one.owner.login.toLowerCase() === first.toLowerCase() && family(one),
  );
  const headRepository = found && lookUpRepository(store, found.owner.login, found.name, viewer);
  if (headRepository !== undefined) return { head: second, headRepository };
  throw invalid({ resource: "PullRequest", field: "head", code: "invalid" });
}

function createPullRoute(call: RestCall): Reply {
  const { store, viewer, repository, body } = call;
  for (const field of ["head", "base"]) {
    if (body.text(field) === undefined) {
      throw invalid({ resource: "PullRequest", field, code: "missing_field" });
    }
  }
  const facts = {
    title: body.string("title"),
    base: body.string("base"),
    ...pullHead(call),
    ...given({
      body: body.text("body"),
      isDraft: body.flag("draft"),
      maintainerCanModify: body.flag("maintainer_can_modify"),
    }),
  };
  return created(pullView(call, pulls.createPull(store, viewer, repository, facts)));
}

function update(call: RestCall): Reply {
  const { store, viewer, pull, body } = call;
  const state = body.text("state");
  const edits = given({
    title: body.text("title"),
    body: body.text("body"),
    base: body.text("base"),
    state:
      state === "closed" ? ("CLOSED" as const) : state === "open" ? ("OPEN" as const) : undefined,
  });
  if (isOnlyState(edits)) changeState(call);
  else pulls.updatePull(store, viewer, pull, edits);
  return ok(pullView(call, pull));
}

/** Whether a request only closes or reopens, which GitHub records as an event of its own. */
function isOnlyState(edits: object): boolean {
  return "state" in edits && Object.keys(edits).length === 1;
}

function changeState({ store, viewer, pull, body }: RestCall): void {
  if (body.text("state") === "closed") pulls.closePull(store, viewer, pull);
  else pulls.reopenPull(store, viewer, pull);
}

/** The same URL also returns the diff or the patch, by media type. */
function view(call: RestCall): Reply {
  const { store, pull, accept } = call;
  if (/\bdiff\b/.test(accept)) {
    return raw(
      Buffer.from(diffText(pullChanges(store, pull))),
      "application/vnd.github.v3.diff; charset=utf-8",
    );
  }
  if (/\bpatch\b/.test(accept)) {
    const text = pullCommits(store, pull)
      .map((commit) => getPatch(call, commit))
      .join("");
    return raw(Buffer.from(text), "application/vnd.github.v3.patch; charset=utf-8");
  }
  return ok(pullView(call, pull));
}

function getPatch({ store }: RestCall, commit: GitCommit): string {
  const changes = changesBetween(store.objects, commit.parents[0] ?? null, commit.oid);
  const { name, email, date } = commit.author;
  const head = [
    `From ${commit.oid} Mon Sep 17 00:00:00 2001`,
    `From: ${name} <${email}>`,
    `Date: ${new Date(date).toUTCString().replace("GMT", "+0000")}`,
    `Subject: [PATCH] ${commit.message}`,
  ];
  return `${head.join("\n")}\n\n---\n${diffText(changes)}\n`;
}

const METHODS: readonly MergeMethod[] = ["MERGE", "SQUASH", "REBASE"];

function merge(call: RestCall): Reply {
  const { store, viewer, pull, body } = call;
  const name = body.text("merge_method") ?? "merge";
  const method = METHODS.find((one) => one === name.toUpperCase());
  if (method === undefined)
    throw invalid({ resource: "PullRequest", field: "merge_method", code: "invalid" });
  const sha = mergePull(store, viewer, pull, {
    method,
    ...given({
      headline: body.text("commit_title"),
      body: body.text("commit_message"),
      expectedHead: body.text("sha"),
    }),
  });
  return ok({ sha, merged: true, message: "Pull Request successfully merged" });
}

function reviewers({ store, body }: RestCall): User[] {
  return (body.texts("reviewers") ?? []).map((login) => {
    const user = store.users.find((one) => one.login.toLowerCase() === login.toLowerCase());
    if (user !== undefined) return findUser(store, user.login);
    const message =
      "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.";
    throw new StoreError("UNPROCESSABLE", message);
  });
}

const PULLS = "/repos/{owner}/{repo}/pulls";
const PULL = `${PULLS}/{pull_number}`;

export const pullRoutes: Routes = {
  [`GET ${PULLS}`]: (call) =>
    listReply(call, filterPulls(call, getPulls(call.repository)), (one) => simplePull(call, one)),
  [`POST ${PULLS}`]: createPullRoute,
  [`GET ${PULL}`]: view,
  [`PATCH ${PULL}`]: update,
  [`GET ${PULL}/files`]: (call) => {
    const { store, urls, pull } = call;
    const place = { store, urls, repository: pull.headRepository };
    return listReply(call, pullChanges(store, pull), (one) => changeView(place, pull.headOid, one));
  },
  [`GET ${PULL}/commits`]: (call) => {
    const { store, urls, pull, repository } = call;
    return listReply(call, pullCommits(store, pull), (one) =>
      commitView({ store, urls, repository }, one),
    );
  },
  [`GET ${PULL}/merge`]: ({ pull }) => {
    if (pull.state === "MERGED") return noContent;
    throw new StoreError("NOT_FOUND", "Not Found");
  },
  [`PUT ${PULL}/merge`]: merge,
  [`PUT ${PULL}/update-branch`]: (call) => {
    const { store, viewer, pull, body } = call;
    updateBranch(store, viewer, pull, body.text("expected_head_sha"));
    const url = `${call.urls.html}/${pull.repository.owner.login}/${pull.repository.name}/pull/${pull.number}`;
    return json(202, { message: "Updating pull request branch.", url });
  },
  [`GET ${PULL}/requested_reviewers`]: (call) => {
    const { requested_reviewers: users } = simplePull(call, call.pull);
    return ok({ users, teams: [] });
  },
  [`POST ${PULL}/requested_reviewers`]: (call) => {
    pulls.requestReviews(call.store, call.viewer, call.pull, {
      users: reviewers(call),
      union: true,
    });
    return created(simplePull(call, call.pull));
  },
  [`DELETE ${PULL}/requested_reviewers`]: (call) => {
    pulls.removeReviewRequests(call.store, call.viewer, call.pull, reviewers(call));
    return ok(simplePull(call, call.pull));
  },
};
