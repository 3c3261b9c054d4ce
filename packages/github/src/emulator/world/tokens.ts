/** The user and scopes of a token. */
export interface Token {
  readonly token: string;
  readonly login: string;
  readonly scopes: readonly string[];
  readonly isRevoked?: boolean;
}

const ALL_SCOPES = [
  "repo",
  "workflow",
  "delete_repo",
  "gist",
  "notifications",
  "read:org",
  "project",
  "user",
] as const;

/** The tokens of the small world, by purpose. */
export const TOKENS = {
  octocat: "waybill-octocat",
  monalisa: "waybill-monalisa",
  hubot: "waybill-hubot",
  /** A token of the user octocat that may only read public data. */
  readOnly: "waybill-read-only",
  revoked: "waybill-revoked",
} as const;

export const WORLD_TOKENS: readonly Token[] = [
  { token: TOKENS.octocat, login: "octocat", scopes: ALL_SCOPES },
  { token: TOKENS.monalisa, login: "monalisa", scopes: ALL_SCOPES },
  { token: TOKENS.hubot, login: "hubot", scopes: ALL_SCOPES },
  { token: TOKENS.readOnly, login: "octocat", scopes: ["read:user"] },
  { token: TOKENS.revoked, login: "octocat", scopes: ALL_SCOPES, isRevoked: true },
];
