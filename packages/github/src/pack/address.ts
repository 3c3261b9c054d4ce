/** What the address of a page on GitHub names. */
export interface Address {
  readonly host: string;
  readonly owner: string;
  /** Of the repository; a project has none. */
  readonly name?: string;
  /** Of the issue, pull request, run, milestone or project. */
  readonly number?: number;
  /** Of the comment that it leads to on that page. */
  readonly comment?: number;
}

const NUMBERED = /^(?:issues|pull|pulls|discussions|milestone|actions\/runs)\/(\d+)(?:\/|$)/;
const PROJECT = /^\/(?:orgs|users)\/([^/]+)\/projects\/(\d+)(?:\/|$)/;

const COMMENT = /^#(?:issuecomment-|discussion_r)(\d+)$/;

/** Reads `https://github.com/octo/hello/issues/7` and its like; undefined for anything else. */
export function readAddress(text: string): Address | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { host, pathname, hash } = new URL(text);
  const [, ofProject, project] = PROJECT.exec(pathname) ?? [];
  if (ofProject !== undefined) return { host, owner: ofProject, number: Number(project) };
  const [owner = "", name = "", ...rest] = pathname.slice(1).split("/");
  if (owner === "" || name === "") return undefined;
  const number = NUMBERED.exec(rest.join("/"))?.[1];
  const comment = COMMENT.exec(hash)?.[1];
  return {
    host,
    owner,
    name,
    ...(number !== undefined && { number: Number(number) }),
    ...(comment !== undefined && { comment: Number(comment) }),
  };
}
