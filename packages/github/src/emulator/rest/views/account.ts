import type { Account, IssueType, License, Organization, User } from "../../store/model.ts";
import type { Store } from "../../store/store.ts";
import { accountHtml, avatarAddress } from "../../urls.ts";
import type { Urls } from "../../urls.ts";

export function simpleUser(urls: Urls, account: Account): Record<string, unknown> {
  const api = `${urls.api}/users/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: account.nodeId,
    avatar_url: avatarAddress(account),
    gravatar_id: "",
    url: api,
    html_url: accountHtml(urls, account),
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

export function userOrNull(urls: Urls, account: Account | null): Record<string, unknown> | null {
  return account === null ? null : simpleUser(urls, account);
}

/** A profile. The emulator has no followers, so their number is 0. */
export function publicUser(store: Store, urls: Urls, account: Account): Record<string, unknown> {
  const isUser = account.type === "User";
  const repositories = store.repositories.filter(({ owner }) => owner === account);
  return {
    ...simpleUser(urls, account),
    name: account.name,
    company: isUser ? account.company : null,
    blog: isUser ? (account.websiteUrl ?? "") : "",
    location: isUser ? account.location : null,
    email: isUser ? account.email : null,
    hireable: null,
    bio: isUser ? account.bio : null,
    twitter_username: null,
    public_repos: repositories.filter(({ isPrivate }) => !isPrivate).length,
    public_gists: store.gists.filter(({ owner, isPublic }) => owner === account && isPublic).length,
    followers: 0,
    following: 0,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}

export function privateUser(store: Store, urls: Urls, user: User): Record<string, unknown> {
  const secret = store.repositories.filter(({ owner, isPrivate }) => owner === user && isPrivate);
  return {
    ...publicUser(store, urls, user),
    user_view_type: "private",
    private_gists: store.gists.filter(({ owner, isPublic }) => owner === user && !isPublic).length,
    total_private_repos: secret.length,
    owned_private_repos: secret.length,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
  };
}

export function simpleOrganization(
  urls: Urls,
  organization: Organization,
): Record<string, unknown> {
  const api = `${urls.api}/orgs/${organization.login}`;
  return {
    login: organization.login,
    id: organization.id,
    node_id: organization.nodeId,
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: avatarAddress(organization),
    description: organization.description,
  };
}

export function fullOrganization(
  store: Store,
  urls: Urls,
  organization: Organization,
): Record<string, unknown> {
  const repositories = store.repositories.filter(({ owner }) => owner === organization);
  return {
    ...simpleOrganization(urls, organization),
    name: organization.name,
    html_url: accountHtml(urls, organization),
    type: "Organization",
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: repositories.filter(({ isPrivate }) => !isPrivate).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    archived_at: null,
    created_at: organization.createdAt,
    updated_at: organization.updatedAt,
  };
}

export function issueTypeView(type: IssueType): Record<string, unknown> {
  return {
    id: type.id,
    node_id: type.nodeId,
    name: type.name,
    description: type.description,
    color: type.color.toLowerCase(),
    is_enabled: type.isEnabled,
    created_at: type.createdAt,
    updated_at: type.updatedAt,
  };
}

export function licenseView(urls: Urls, license: License | null): Record<string, unknown> | null {
  if (license === null) return null;
  const { key, name, spdxId } = license;
  const nodeId = Buffer.from(`07:License:${key}`).toString("base64");
  return { key, name, spdx_id: spdxId, url: `${urls.api}/licenses/${key}`, node_id: nodeId };
}
