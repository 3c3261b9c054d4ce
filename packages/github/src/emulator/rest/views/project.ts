import type { Project, ProjectField, ProjectItem } from "../../store/model.ts";
import { simpleUser } from "./account.ts";
import { issueView } from "./issue.ts";
import { simplePull } from "./pull.ts";
import type { Asked } from "./repository.ts";

function projectUrl({ urls }: Asked, { owner, number }: Project): string {
  const folder = owner.type === "Organization" ? "orgs" : "users";
  return `${urls.api}/${folder}/${owner.login}/projectsV2/${number}`;
}

export function projectView({ urls }: Asked, project: Project): Record<string, unknown> {
  return {
    id: project.id,
    node_id: project.nodeId,
    owner: simpleUser(urls, project.owner),
    creator: simpleUser(urls, project.creator),
    title: project.title,
    description: project.readme,
    short_description: project.shortDescription,
    public: project.isPublic,
    closed_at: project.isClosed ? project.updatedAt : null,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    number: project.number,
    deleted_at: null,
    deleted_by: null,
    state: project.isClosed ? "closed" : "open",
    is_template: false,
  };
}

function words(text: string): Record<string, string> {
  return { raw: text, html: text };
}

export function fieldView(asked: Asked, field: ProjectField): Record<string, unknown> {
  const { options, iterations } = field;
  return {
    id: field.id,
    node_id: field.nodeId,
    name: field.name,
    data_type: field.dataType.toLowerCase(),
    project_url: projectUrl(asked, field.project),
    created_at: field.createdAt,
    updated_at: field.updatedAt,
    ...(field.dataType === "SINGLE_SELECT"
      ? {
          options: options.map(({ id, name, color, description }) => ({
            id,
            name: words(name),
            color,
            description: words(description),
          })),
        }
      : {}),
    ...(field.dataType === "ITERATION"
      ? {
          configuration: {
            start_day: 1,
            duration: iterations[0]?.duration ?? 14,
            iterations: iterations.map(({ id, title, startDate, duration }) => ({
              id,
              title: words(title),
              start_date: startDate,
              duration,
              completed: false,
            })),
          },
        }
      : {}),
  };
}

function contentView(asked: Asked, { content }: ProjectItem): Record<string, unknown> {
  if (content.type === "Issue") return issueView(asked.urls, content);
  if (content.type === "PullRequest") return simplePull(asked, content);
  return {
    id: content.id,
    node_id: content.nodeId,
    title: content.title,
    body: content.body,
    user: simpleUser(asked.urls, content.creator),
    created_at: content.createdAt,
    updated_at: content.updatedAt,
  };
}

export function itemView(asked: Asked, item: ProjectItem): Record<string, unknown> {
  return {
    id: item.id,
    node_id: item.nodeId,
    content: contentView(asked, item),
    content_type: item.content.type,
    creator: simpleUser(asked.urls, item.creator),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    archived_at: item.isArchived ? item.updatedAt : null,
    project_url: projectUrl(asked, item.project),
    item_url: `${projectUrl(asked, item.project)}/items/${item.id}`,
  };
}

/** An item with the values that users entered. An option or iteration is included as an object. */
export function itemWithFields(asked: Asked, item: ProjectItem): Record<string, unknown> {
  const fields = [...item.values].map(([field, value]) => ({
    id: field.id,
    name: field.name,
    data_type: field.dataType.toLowerCase(),
    value: [...field.options, ...field.iterations].find(({ id }) => id === value) ?? value,
  }));
  const title = { name: "Title", data_type: "title", value: item.content.title };
  return { ...itemView(asked, item), fields: [title, ...fields] };
}
