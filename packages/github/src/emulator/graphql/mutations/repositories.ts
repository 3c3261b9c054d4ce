import { given } from "../../input.ts";
import type { Input } from "../../input.ts";
import { HEADS } from "../../store/commits.ts";
import { notFound } from "../../store/errors.ts";
import { findRepository } from "../../store/find.ts";
import { parseGitNodeId } from "../../store/ids.ts";
import type { Repository } from "../../store/model.ts";
import * as labels from "../../store/mutations/labels.ts";
import * as refs from "../../store/mutations/refs.ts";
import * as repositories from "../../store/mutations/repositories.ts";
import type { Context } from "../context.ts";
import { commitNode, refNode } from "../types/git-nodes.ts";
import type { Mutations } from "./mutation.ts";
import { nodeAt, repositoryAt } from "./nodes.ts";

/** Finds a ref by its node id, which contains the repository and the full name. */
function refAt(
  context: Context,
  id: string | undefined,
): { readonly repository: Repository; readonly name: string } {
  const parsed = parseGitNodeId(id ?? "");
  if (parsed?.kind !== "Ref") throw notFound(`a Ref node with the global id of '${id ?? ""}'`);
  const repository = repositoryAt(context, parsed.owner);
  if (!repository.refs.has(parsed.name))
    throw notFound(`a Ref node with the global id of '${id ?? ""}'`);
  return { repository, name: parsed.name };
}

/** Finds a branch by the id of its ref, or by the names of repository and branch. */
function branchAt(
  context: Context,
  input: Input,
): { readonly repository: Repository; readonly branch: string } {
  const id = input.text("id");
  if (id !== undefined) {
    const { repository, name } = refAt(context, id);
    return { repository, branch: name.slice(HEADS.length) };
  }
  const [owner = "", name = ""] = input.string("repositoryNameWithOwner").split("/");
  const repository = findRepository(context.store, owner, name, context.viewer);
  return { repository, branch: input.string("branchName").replace(HEADS, "") };
}

function createCommit(input: Input, context: Context) {
  const { repository, branch } = branchAt(context, input.child("branch"));
  const changes = input.child("fileChanges");
  const additions = new Map(
    changes
      .children("additions")
      .map((one) => [one.string("path"), Buffer.from(one.string("contents"), "base64")]),
  );
  const deletions = changes.children("deletions").map((one) => one.string("path"));
  const message = input.child("message");
  const [headline, body] = [message.string("headline"), message.string("body")];
  const { oid } = refs.commitOnBranch(context.store, context.viewer, repository, {
    branch,
    message: body === "" ? headline : `${headline}\n\n${body}`,
    edits: { additions, deletions },
    ...given({ expectedHead: input.text("expectedHeadOid") }),
  });
  return {
    commit: commitNode(context.store, repository, oid),
    ref: refNode(repository, `${HEADS}${branch}`),
  };
}

function setArchived(isArchived: boolean): Mutations[string] {
  return (input, context) => {
    const repository = repositoryAt(context, input.text("repositoryId"));
    repositories.updateRepository(context.store, context.viewer, repository, { isArchived });
    return { repository };
  };
}

function setStar(isOn: boolean): Mutations[string] {
  return (input, context) => {
    const starrable = repositoryAt(context, input.text("starrableId"));
    repositories.setStar(context.store, context.viewer, starrable, isOn);
    return { starrable };
  };
}

function getSettings(input: Input) {
  return given({
    hasIssues: input.flag("hasIssuesEnabled"),
    hasWiki: input.flag("hasWikiEnabled"),
    hasProjects: input.flag("hasProjectsEnabled"),
    hasDiscussions: input.flag("hasDiscussionsEnabled"),
  });
}

export const repositoryMutations: Mutations = {
  createRepository: (input, context) => {
    const ownerId = input.text("ownerId");
    const owner =
      ownerId === undefined ? undefined : nodeAt(context, ownerId, "User", "Organization");
    const repository = repositories.createRepository(context.store, context.viewer, {
      name: input.string("name"),
      isPrivate: input.text("visibility") !== "PUBLIC",
      settings: getSettings(input),
      ...given({
        owner,
        description: input.text("description"),
        homepage: input.text("homepageUrl"),
        isTemplate: input.flag("template"),
      }),
    });
    return { repository };
  },
  updateRepository: (input, context) => {
    const repository = repositoryAt(context, input.text("repositoryId"));
    repositories.updateRepository(context.store, context.viewer, repository, {
      settings: getSettings(input),
      ...given({
        name: input.text("name"),
        description: input.text("description"),
        homepage: input.text("homepageUrl"),
        isTemplate: input.flag("template"),
      }),
    });
    return { repository };
  },
  archiveRepository: setArchived(true),
  unarchiveRepository: setArchived(false),
  addStar: setStar(true),
  removeStar: setStar(false),
  createLabel: (input, context) => {
    const repository = repositoryAt(context, input.text("repositoryId"));
    const facts = { name: input.string("name"), color: input.string("color") };
    const description = given({ description: input.text("description") });
    return {
      label: labels.createLabel(context.store, context.viewer, repository, {
        ...facts,
        ...description,
      }),
    };
  },
  updateLabel: (input, context) => {
    const label = nodeAt(context, input.text("id"), "Label");
    const edits = given({
      name: input.text("name"),
      color: input.text("color"),
      description: input.text("description"),
    });
    labels.updateLabel(context.store, context.viewer, label, edits);
    return { label };
  },
  deleteLabel: (input, context) => {
    labels.deleteLabel(context.store, context.viewer, nodeAt(context, input.text("id"), "Label"));
    return {};
  },
  createRef: (input, context) => {
    const repository = repositoryAt(context, input.text("repositoryId"));
    const name = input.string("name");
    refs.createRef(context.store, context.viewer, repository, {
      name,
      oid: input.string("oid"),
    });
    return { ref: refNode(repository, name) };
  },
  updateRef: (input, context) => {
    const { repository, name } = refAt(context, input.text("refId"));
    const facts = { name, oid: input.string("oid"), force: input.isOn("force") };
    refs.updateRef(context.store, context.viewer, repository, facts);
    return { ref: refNode(repository, name) };
  },
  deleteRef: (input, context) => {
    const { repository, name } = refAt(context, input.text("refId"));
    refs.deleteRef(context.store, context.viewer, repository, name);
    return {};
  },
  createCommitOnBranch: createCommit,
};
