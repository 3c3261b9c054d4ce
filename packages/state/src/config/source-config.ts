/** Where to find a secret. It never contains the secret itself. */
export type CredentialConfig =
  | { readonly env: string }
  | {
      /** A program that prints the secret, such as `["pass", "show", "shop"]`. */
      readonly command: readonly string[];
      /**
       * The folder of the file that names the program. It is set when the file is read.
       * Otherwise the current folder, which may be a cloned repository, could provide another
       * program with this name.
       */
      readonly cwd?: string;
    };

/**
 * Hosts, addresses and ranges such as `10.0.0.0/8`. `true` allows all except link-local addresses.
 */
type AllowPrivateConfig = boolean | readonly string[];

/** A folder of cards, and where their requests go. */
export interface CardsSourceConfig {
  readonly kind: "cards";
  /**
   * The folder. Like every path here, it is relative to the file, and absolute after the file
   * was read.
   */
  readonly folder: string;
  readonly rest?: { readonly baseUrl: string };
  readonly graphql?: { readonly url: string };
  readonly cli?: { readonly program?: "gh"; readonly host?: string };
  readonly token?: CredentialConfig;
  /** The host that the token belongs to. The token is sent to no other host. */
  readonly host?: string;
  /** Private network addresses that the source may reach. */
  readonly allow_private?: AllowPrivateConfig;
}

/** A user's correction to one operation. */
interface OpenapiOverrideConfig {
  readonly effect?: "read" | "write" | "destructive";
  readonly idempotent?: boolean;
  readonly description?: string;
  /** Whether lists show the operation. It can be found and called in any case. */
  readonly exposed?: boolean;
  /** The name of the API's header for an idempotency key. */
  readonly idempotency_header?: string;
}

/** An API with an OpenAPI description. */
export interface OpenapiSourceConfig {
  readonly kind: "openapi";
  /** The path or URL of the description. */
  readonly document: string;
  /** Replaces the servers that the description names. */
  readonly server?: string;
  /** The connected account to use (default: the only one, or `default`). */
  readonly account?: string;
  /**
   * Whether each caller of a server uses the account with the caller's own name (default: false).
   */
  readonly per_caller?: boolean;
  /** Secrets by the name of the security scheme; `*` for any. */
  readonly credentials?: Readonly<Record<string, CredentialConfig>>;
  /** Hosts that may receive credentials (default: the server's host). */
  readonly hosts?: readonly string[];
  /** Whether to read the other documents that the description refers to. */
  readonly external?: boolean;
  /** The base for relative URLs in the description. */
  readonly base_url?: string;
  /** Values for the variables in the URL of its server. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Headers to send with every request. `${env:NAME}` is replaced by the environment variable. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: { readonly response_mb?: number; readonly timeout_ms?: number };
  /** Corrections by operation name, without the name of the source. */
  readonly overrides?: Readonly<Record<string, OpenapiOverrideConfig>>;
  /** Private network addresses that the source may reach. */
  readonly allow_private?: AllowPrivateConfig;
}

/** An MCP server: a program to start, or a URL. */
export interface McpSourceConfig {
  readonly kind: "mcp";
  readonly command?: string;
  readonly args?: readonly string[];
  /**
   * Environment variables of the program. `${env:NAME}` is replaced by the environment variable.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Limits of memory and processor time for each process of the program. */
  readonly limits?: { readonly memory_mb?: number; readonly cpu_seconds?: number };
  /** Runs the program in a sandbox without the home folder and the network. */
  readonly isolated?:
    | boolean
    | {
        readonly network?: boolean;
        /** Folders that the program may read besides its own. */
        readonly folders?: readonly string[];
        /** Folders that the program may write to. */
        readonly writable?: readonly string[];
      };
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connected account to use (default: the only one, or `default`). */
  readonly account?: string;
  /**
   * Whether each caller of a server uses the account with the caller's own name (default: false).
   */
  readonly per_caller?: boolean;
  readonly auth?: {
    readonly grant?: "authorization_code" | "client_credentials";
    readonly clientId?: string;
    readonly clientSecret?: string;
    readonly scope?: string;
  };
  /** Whether to trust the server's hints about which tools only read. */
  readonly trusted?: boolean;
  /** Private network addresses that the source may reach. */
  readonly allow_private?: AllowPrivateConfig;
}

/** A GraphQL endpoint. */
export interface GraphqlSourceConfig {
  readonly kind: "graphql";
  readonly url: string;
  /** A file with SDL or an introspection result. Without it, Waybill asks the endpoint. */
  readonly schema?: string;
  /** Files with GraphQL documents. Without them, every root field becomes an operation. */
  readonly documents?: readonly string[];
  /**
   * How requests name documents that the endpoint stores (default: each request contains its
   * document).
   */
  readonly persisted?: "apollo" | "document-id";
  /** The WebSocket URL for subscriptions, if it differs from `url`. */
  readonly subscriptions_url?: string;
  readonly depth?: number;
  readonly token?: CredentialConfig;
  /** The connected account to use (default: the only one, or `default`). */
  readonly account?: string;
  /**
   * Whether each caller of a server uses the account with the caller's own name (default: false).
   */
  readonly per_caller?: boolean;
  /** Private network addresses that the source may reach. */
  readonly allow_private?: AllowPrivateConfig;
}

/** A program with a manifest that describes its operations. */
export interface CommandSourceConfig {
  readonly kind: "command";
  readonly manifest: string;
  readonly cwd?: string;
}

/** A service on NATS, with every operation of its workers. */
export interface NatsSourceConfig {
  readonly kind: "nats";
  /** The address `nats://host:port/service`, or several servers of one cluster. */
  readonly url: string | readonly string[];
  /** The secret that signs the identity of callers. */
  readonly key?: CredentialConfig;
  /**
   * Whether all workers share one journal. If they do, a write with a key may be sent again if
   * its response is lost.
   */
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
