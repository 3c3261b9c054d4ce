/** Where a secret is, never the secret itself. */
export type CredentialConfig =
  | { readonly env: string }
  /** A program that prints it, such as `["pass", "show", "shop"]`. */
  | { readonly command: readonly string[] };

/** Hosts, addresses and ranges such as `10.0.0.0/8`; `true` for all but link-local addresses. */
type AllowPrivateConfig = boolean | readonly string[];

/** A folder of cards, and where their requests go. */
export interface CardsSourceConfig {
  readonly kind: "cards";
  /** Absolute once the file is read, as every path here; in the file it may be relative to it. */
  readonly folder: string;
  readonly rest?: { readonly baseUrl: string };
  readonly graphql?: { readonly url: string };
  readonly cli?: { readonly program?: "gh"; readonly host?: string };
  readonly token?: CredentialConfig;
  /** The host that the token belongs to; it is sent to no other. */
  readonly host?: string;
  /** Private addresses that may be reached. */
  readonly allow_private?: AllowPrivateConfig;
}

/** A correction of an operation by its user. */
interface OpenapiOverrideConfig {
  readonly effect?: "read" | "write" | "destructive";
  readonly idempotent?: boolean;
  readonly description?: string;
  /** Whether it is listed; it can be found and called either way. */
  readonly exposed?: boolean;
  /** The header by which the API takes an idempotency key. */
  readonly idempotency_header?: string;
}

/** An API with an OpenAPI description. */
export interface OpenapiSourceConfig {
  readonly kind: "openapi";
  /** A file or a URL. */
  readonly document: string;
  /** In place of the servers that the description names. */
  readonly server?: string;
  /** Which of the connected accounts is used (default: the only one, or `default`). */
  readonly account?: string;
  /** Whether each caller of a server uses the account that is called as the caller (default: false). */
  readonly per_caller?: boolean;
  /** By the name of the security scheme; `*` for any. */
  readonly credentials?: Readonly<Record<string, CredentialConfig>>;
  /** Hosts that may receive credentials (default: the server's host). */
  readonly hosts?: readonly string[];
  /** Whether the documents that it refers to are read. */
  readonly external?: boolean;
  /** Addresses that are relative in the description are relative to this. */
  readonly base_url?: string;
  /** Values for the variables in the URL of its server. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Sent with every request. `${env:NAME}` stands for a variable of the environment. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: { readonly response_mb?: number; readonly timeout_ms?: number };
  /** By the name of the operation, without the name of the source. */
  readonly overrides?: Readonly<Record<string, OpenapiOverrideConfig>>;
  /** Private addresses that may be reached. */
  readonly allow_private?: AllowPrivateConfig;
}

/** An MCP server: a program, or one behind a URL. */
export interface McpSourceConfig {
  readonly kind: "mcp";
  readonly command?: string;
  readonly args?: readonly string[];
  /** `${env:NAME}` stands for a variable of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Memory and processor time of each process of the program. */
  readonly limits?: { readonly memory_mb?: number; readonly cpu_seconds?: number };
  /** Runs the program in a sandbox without the home folder and the network. */
  readonly isolated?:
    | boolean
    | {
        readonly network?: boolean;
        /** Folders that it may read beside its own. */
        readonly folders?: readonly string[];
        /** Folders that it may write. */
        readonly writable?: readonly string[];
      };
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which of the connected accounts is used (default: the only one, or `default`). */
  readonly account?: string;
  /** Whether each caller of a server uses the account that is called as the caller (default: false). */
  readonly per_caller?: boolean;
  readonly auth?: {
    readonly grant?: "authorization_code" | "client_credentials";
    readonly clientId?: string;
    readonly clientSecret?: string;
    readonly scope?: string;
  };
  /** Whether to believe what the server says of its tools' effects. */
  readonly trusted?: boolean;
  /** Private addresses that may be reached. */
  readonly allow_private?: AllowPrivateConfig;
}

/** A GraphQL endpoint. */
export interface GraphqlSourceConfig {
  readonly kind: "graphql";
  readonly url: string;
  /** A file with SDL or an introspection; without it the endpoint is asked. */
  readonly schema?: string;
  /** Files with GraphQL documents; without them every root field is an operation. */
  readonly documents?: readonly string[];
  /** How documents are named that the endpoint keeps (default: each request has its document). */
  readonly persisted?: "apollo" | "document-id";
  readonly depth?: number;
  readonly token?: CredentialConfig;
  /** Which of the connected accounts is used (default: the only one, or `default`). */
  readonly account?: string;
  /** Whether each caller of a server uses the account that is called as the caller (default: false). */
  readonly per_caller?: boolean;
  /** Private addresses that may be reached. */
  readonly allow_private?: AllowPrivateConfig;
}

/** A program with a manifest of what it can do. */
export interface CommandSourceConfig {
  readonly kind: "command";
  readonly manifest: string;
  readonly cwd?: string;
}

/** A service on NATS: everything its workers offer. */
export interface NatsSourceConfig {
  readonly kind: "nats";
  /** `nats://host:port/service`, or several servers of one cluster. */
  readonly url: string | readonly string[];
  /** The secret that signs who calls. */
  readonly key?: CredentialConfig;
  /** Whether all its workers share one journal, so that a lost keyed write may be sent again. */
  readonly shared_journal?: boolean;
}

export type SourceConfig =
  | CardsSourceConfig
  | OpenapiSourceConfig
  | McpSourceConfig
  | GraphqlSourceConfig
  | CommandSourceConfig
  | NatsSourceConfig;

export type SourceKind = SourceConfig["kind"];
