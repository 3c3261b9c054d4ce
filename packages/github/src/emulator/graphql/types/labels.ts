import { can } from "../../store/access.ts";
import { nameWithOwner } from "../../store/facts.ts";
import type { Label, Milestone } from "../../store/model.ts";
import { repoHtml } from "../../urls.ts";
import type { Fields, TypeFields } from "../context.ts";
import { filterIssues, filterPulls } from "../filters.ts";
import { entityFields, urlPath } from "./common.ts";
import { selectIssues, getPulls } from "./lists.ts";

const labelFields: Fields<Label> = {
  ...entityFields,
  name: ({ name }) => name,
  color: ({ color }) => color,
  description: ({ description }) => description,
  isDefault: ({ isDefault }) => isDefault,
  repository: ({ repository }) => repository,
  url: (label, _args, { urls }) => labelUrl(repoHtml(urls, label.repository), label),
  resourcePath: (label, _args, { urls }) =>
    urlPath(labelUrl(repoHtml(urls, label.repository), label)),
  issues: (label, args) =>
    filterIssues(
      selectIssues(label.repository).filter(({ labels }) => labels.includes(label)),
      args,
    ),
  pullRequests: (label, args) =>
    filterPulls(
      getPulls(label.repository).filter(({ labels }) => labels.includes(label)),
      args,
    ),
};

function labelUrl(base: string, { name }: Label): string {
  return `${base}/labels/${encodeURIComponent(name)}`;
}

const milestoneFields: Fields<Milestone> = {
  ...entityFields,
  number: ({ number }) => number,
  title: ({ title }) => title,
  description: ({ description }) => description,
  state: ({ state }) => state,
  closed: ({ state }) => state === "CLOSED",
  closedAt: ({ closedAt }) => closedAt,
  dueOn: ({ dueOn }) => dueOn,
  creator: ({ creator }) => creator,
  repository: ({ repository }) => repository,
  url: ({ repository, number }, _args, { urls }) =>
    `${repoHtml(urls, repository)}/milestone/${number}`,
  resourcePath: ({ repository, number }) => `/${nameWithOwner(repository)}/milestone/${number}`,
  issues: (one, args) =>
    filterIssues(
      selectIssues(one.repository).filter(({ milestone }) => milestone === one),
      args,
    ),
  pullRequests: (one, args) =>
    filterPulls(
      getPulls(one.repository).filter(({ milestone }) => milestone === one),
      args,
    ),
  progressPercentage: (one) => {
    const own = [...one.repository.issues.values()].filter(({ milestone }) => milestone === one);
    const closed = own.filter(({ state }) => state !== "OPEN").length;
    return own.length === 0 ? 0 : (closed / own.length) * 100;
  },
  viewerCanClose: ({ repository }, _args, { viewer }) => can(viewer, repository, "WRITE"),
  viewerCanReopen: ({ repository }, _args, { viewer }) => can(viewer, repository, "WRITE"),
};

interface LicenseNode {
  readonly nodeId: string;
  readonly key: string;
  readonly name: string;
  readonly spdxId: string;
}

const licenseFields: Fields<LicenseNode> = {
  id: ({ nodeId }) => nodeId,
  key: ({ key }) => key,
  name: ({ name }) => name,
  spdxId: ({ spdxId }) => spdxId,
  nickname: () => null,
  url: ({ key }) => `http://choosealicense.com/licenses/${key}/`,
};

export const labelTypes: TypeFields = {
  Label: labelFields,
  Milestone: milestoneFields,
  License: licenseFields,
};
