/** Header values by lower-case name. */
type Headers = Readonly<Record<string, string | undefined>>;

const MAX_HINT = 300;

function scopeNames(header: string | undefined): string[] {
  return (header ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Parses a header such as "required; url=https://github.com/orgs/octo/sso?…". */
function ssoHint(header = ""): string | undefined {
  const url = /\burl=(https:\/\/\S+)/u.exec(header)?.[1];
  return url === undefined ? undefined : `Authorize the token for SSO: ${url}`;
}

/** The required scopes, if the token has none of them. */
function scopeHint(headers: Headers): string | undefined {
  const accepted = scopeNames(headers["x-accepted-oauth-scopes"]);
  const own = scopeNames(headers["x-oauth-scopes"]);
  if (headers["x-oauth-scopes"] === undefined || accepted.length === 0) return undefined;
  if (accepted.some((scope) => own.includes(scope))) return undefined;
  return `The token needs one of the scopes: ${accepted.join(", ")}`;
}

function permissionHint(header: string | undefined): string | undefined {
  const asked = header?.trim();
  return asked ? `The token needs the permissions: ${asked.replaceAll(";", " or")}` : undefined;
}

/**
 * The missing permission that an upstream reports when it refuses a token, and where to grant it.
 */
export function accessHint(headers: Headers): string | undefined {
  const hint =
    ssoHint(headers["x-github-sso"]) ??
    permissionHint(headers["x-accepted-github-permissions"]) ??
    scopeHint(headers);
  return hint?.slice(0, MAX_HINT);
}
