import { commitsBetween } from "../../git/index.ts";
import { HEADS, resolveCommit } from "../../store/commits.ts";
import { gitNodeId } from "../../store/ids.ts";
import type { Repository } from "../../store/model.ts";
import type { Fields, TypeFields } from "../context.ts";
import { filterPulls } from "../filters.ts";
import { commitNode } from "./git-nodes.ts";
import type { RefNode } from "./git-nodes.ts";
import { getPulls } from "./lists.ts";

const refFields: Fields<RefNode> = {
  id: ({ nodeId }) => nodeId,
  name: ({ name }) => name.replace(/^refs\/[^/]+\//, ""),
  prefix: ({ name }) => /^refs\/[^/]+\//.exec(name)?.[0] ?? "",
  repository: ({ repository }) => repository,
  target: ({ repository, oid }, _args, { store }) => commitNode(store, repository, oid),
  branchProtectionRule: ({ repository, name }) => {
    const pattern = name.slice(HEADS.length);
    const rules = repository.protections.get(pattern);
    return rules === undefined
      ? null
      : { type: "BranchProtectionRule", repository, pattern, rules };
  },
  refUpdateRule: () => null,
  associatedPullRequests: ({ repository, name }, args, { store }) => {
    const branch = name.slice(HEADS.length);
    const pulls = store.repositories.flatMap(getPulls);
    return filterPulls(
      pulls.filter((one) => one.headRepository === repository && one.headRef === branch),
      args,
    );
  },
  compare: ({ repository, oid }, args, { store }) => {
    const head = resolveCommit(store, repository, args.string("headRef"));
    if (head === undefined) return null;
    return {
      type: "Comparison",
      nodeId: `CMP_${oid.slice(0, 7)}${head.oid.slice(0, 7)}`,
      repository,
      base: oid,
      head: head.oid,
    };
  },
};

interface ComparisonNode {
  readonly nodeId: string;
  readonly repository: Repository;
  readonly base: string;
  readonly head: string;
}

const comparisonFields: Fields<ComparisonNode> = {
  id: ({ nodeId }) => nodeId,
  aheadBy: ({ base, head }, _args, { store }) => commitsBetween(store.objects, base, head).length,
  behindBy: ({ base, head }, _args, { store }) => commitsBetween(store.objects, head, base).length,
  baseTarget: ({ repository, base }, _args, { store }) => commitNode(store, repository, base),
  headTarget: ({ repository, head }, _args, { store }) => commitNode(store, repository, head),
  commits: ({ repository, base, head }, _args, { store }) =>
    commitsBetween(store.objects, base, head).map(({ oid }) => commitNode(store, repository, oid)),
  status: ({ base, head }, _args, { store }) => {
    const ahead = commitsBetween(store.objects, base, head).length > 0;
    const behind = commitsBetween(store.objects, head, base).length > 0;
    if (ahead && behind) return "DIVERGED";
    return ahead ? "AHEAD" : behind ? "BEHIND" : "IDENTICAL";
  },
};

interface RuleNode {
  readonly repository: Repository;
  readonly pattern: string;
  readonly rules: {
    readonly requiredApprovals: number;
    readonly requiredChecks: readonly string[];
  };
}

const ruleFields: Fields<RuleNode> = {
  id: ({ repository, pattern }) => gitNodeId("Ref", repository, `rule:${pattern}`),
  pattern: ({ pattern }) => pattern,
  repository: ({ repository }) => repository,
  requiredApprovingReviewCount: ({ rules }) => rules.requiredApprovals,
  requiresApprovingReviews: ({ rules }) => rules.requiredApprovals > 0,
  requiresStatusChecks: ({ rules }) => rules.requiredChecks.length > 0,
  requiredStatusCheckContexts: ({ rules }) => rules.requiredChecks,
  requiresStrictStatusChecks: () => false,
  isAdminEnforced: () => false,
  allowsDeletions: () => false,
  allowsForcePushes: () => false,
  dismissesStaleReviews: () => false,
  requiresCodeOwnerReviews: () => false,
  requiresCommitSignatures: () => false,
  requiresConversationResolution: () => false,
  requiresLinearHistory: () => false,
};

export const refTypes: TypeFields = {
  Ref: refFields,
  Comparison: comparisonFields,
  BranchProtectionRule: ruleFields,
};
