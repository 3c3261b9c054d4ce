import type { SourceConfig } from "@waybill/state";

/** A well-known source that can be added by its name alone. */
export interface KnownSource {
  readonly config: SourceConfig;
  readonly about: string;
  /** The page where users find their key; absent for OAuth, or if no sign-in is needed. */
  readonly key?: string;
}

const RAW = "https://raw.githubusercontent.com";

function api(document: string, about: string, key?: string): KnownSource {
  return { config: { kind: "openapi", document }, about, ...(key !== undefined && { key }) };
}

function server(url: string, about: string): KnownSource {
  return { config: { kind: "mcp", url }, about };
}

function program(command: string, args: readonly string[], about: string): KnownSource {
  return { config: { kind: "mcp", command, args }, about };
}

function npx(about: string, ...args: readonly string[]): KnownSource {
  return program("npx", ["-y", ...args], about);
}

/**
 * Well-known sources by name. The addresses were entered by hand, so `source add` reads each one to
 * check it.
 */
export const KNOWN_SOURCES: Readonly<Record<string, KnownSource>> = {
  adyen: api(
    `${RAW}/Adyen/adyen-openapi/main/json/CheckoutService-v71.json`,
    "Payments (Checkout)",
    "https://ca-test.adyen.com",
  ),
  asana: api(
    `${RAW}/Asana/openapi/master/defs/asana_oas.yaml`,
    "Tasks and projects",
    "https://app.asana.com/0/my-apps",
  ),
  bitbucket: api(
    "https://api.bitbucket.org/swagger.json",
    "Git hosting",
    "https://bitbucket.org/account/settings/app-passwords",
  ),
  box: api(
    `${RAW}/box/box-openapi/main/openapi.json`,
    "Files",
    "https://app.box.com/developers/console",
  ),
  cloudflare: api(
    `${RAW}/cloudflare/api-schemas/main/openapi.json`,
    "DNS, Workers, R2 and more",
    "https://dash.cloudflare.com/profile/api-tokens",
  ),
  confluence: api(
    "https://developer.atlassian.com/cloud/confluence/openapi-v2.v3.json",
    "Wiki pages; set server to your site",
    "https://id.atlassian.com/manage-profile/security/api-tokens",
  ),
  datadog: api(
    `${RAW}/DataDog/datadog-api-client-typescript/master/.generator/schemas/v2/openapi.yaml`,
    "Monitoring",
    "https://app.datadoghq.com/organization-settings/api-keys",
  ),
  digitalocean: api(
    "https://api-engineering.nyc3.digitaloceanspaces.com/spec-ci/DigitalOcean-public.v2.yaml",
    "Cloud servers",
    "https://cloud.digitalocean.com/account/api/tokens",
  ),
  discord: api(
    `${RAW}/discord/discord-api-spec/main/specs/openapi.json`,
    "Chat",
    "https://discord.com/developers/applications",
  ),
  figma: api(
    `${RAW}/figma/rest-api-spec/main/openapi/openapi.yaml`,
    "Design files",
    "https://www.figma.com/developers/api#access-tokens",
  ),
  gitlab: api(
    "https://gitlab.com/gitlab-org/gitlab/-/raw/master/doc/api/openapi/openapi_v2.yaml",
    "Git hosting",
    "https://gitlab.com/-/user_settings/personal_access_tokens",
  ),
  intercom: api(
    `${RAW}/intercom/Intercom-OpenAPI/main/descriptions/2.11/api.intercom.io.yaml`,
    "Customer messages",
    "https://app.intercom.com/a/apps/_/developer-hub",
  ),
  jira: api(
    "https://developer.atlassian.com/cloud/jira/platform/swagger-v3.v3.json",
    "Issues; set server to your site",
    "https://id.atlassian.com/manage-profile/security/api-tokens",
  ),
  kubernetes: api(
    `${RAW}/kubernetes/kubernetes/master/api/openapi-spec/swagger.json`,
    "Clusters; set server to your cluster",
  ),
  launchdarkly: api(
    "https://app.launchdarkly.com/api/v2/openapi.json",
    "Feature flags",
    "https://app.launchdarkly.com/settings/authorization",
  ),
  mistral: api(
    `${RAW}/mistralai/platform-docs-public/main/openapi.yaml`,
    "Language models",
    "https://console.mistral.ai/api-keys",
  ),
  netlify: api(
    `${RAW}/netlify/open-api/master/swagger.yml`,
    "Web hosting",
    "https://app.netlify.com/user/applications",
  ),
  okta: api(
    `${RAW}/okta/okta-management-openapi-spec/master/dist/current/management-minimal.yaml`,
    "Identities; set server to your organisation",
    "https://developer.okta.com",
  ),
  openai: api(
    `${RAW}/openai/openai-openapi/master/openapi.yaml`,
    "Language models",
    "https://platform.openai.com/api-keys",
  ),
  openrouter: api(
    "https://openrouter.ai/openapi.json",
    "Language models",
    "https://openrouter.ai/settings/keys",
  ),
  pagerduty: api(
    `${RAW}/PagerDuty/api-schema/main/reference/REST/openapiv3.json`,
    "On-call and incidents",
    "https://support.pagerduty.com/main/docs/api-access-keys",
  ),
  petstore: api("https://petstore3.swagger.io/api/v3/openapi.json", "The example API of OpenAPI"),
  plaid: api(
    `${RAW}/plaid/plaid-openapi/master/2020-09-14.yml`,
    "Bank accounts",
    "https://dashboard.plaid.com/developers/keys",
  ),
  resend: api(
    `${RAW}/resend/resend-openapi/main/resend.yaml`,
    "Mail",
    "https://resend.com/api-keys",
  ),
  sendgrid: api(
    `${RAW}/twilio/sendgrid-oai/main/spec/json/tsg_mail_v3.json`,
    "Mail",
    "https://app.sendgrid.com/settings/api_keys",
  ),
  slack: api(
    `${RAW}/slackapi/slack-api-specs/master/web-api/slack_web_openapi_v2.json`,
    "Chat",
    "https://api.slack.com/apps",
  ),
  spotify: api(
    `${RAW}/sonallux/spotify-web-api/main/fixed-spotify-open-api.yml`,
    "Music",
    "https://developer.spotify.com/dashboard",
  ),
  square: api(
    `${RAW}/square/connect-api-specification/master/api.json`,
    "Payments and shops",
    "https://developer.squareup.com/apps",
  ),
  stripe: api(
    `${RAW}/stripe/openapi/master/openapi/spec3.json`,
    "Payments",
    "https://dashboard.stripe.com/apikeys",
  ),
  twilio: api(
    `${RAW}/twilio/twilio-oai/main/spec/json/twilio_api_v2010.json`,
    "Telephone and messages",
    "https://console.twilio.com",
  ),
  vercel: api(
    "https://openapi.vercel.sh",
    "Web hosting",
    "https://vercel.com/account/settings/tokens",
  ),
  "atlassian-mcp": server("https://mcp.atlassian.com/v1/mcp", "Jira and Confluence"),
  "canva-mcp": server("https://mcp.canva.com/mcp", "Designs"),
  "cloudflare-docs": server(
    "https://docs.mcp.cloudflare.com/mcp",
    "The documentation of Cloudflare",
  ),
  context7: server("https://mcp.context7.com/mcp", "Documentation of libraries"),
  deepwiki: server("https://mcp.deepwiki.com/mcp", "Questions about public repositories"),
  "figma-mcp": server("https://mcp.figma.com/mcp", "Design files"),
  "github-mcp": server("https://api.githubcopilot.com/mcp/", "The MCP server of GitHub"),
  huggingface: server("https://huggingface.co/mcp", "Models and data sets"),
  "intercom-mcp": server("https://mcp.intercom.com/mcp", "Customer messages"),
  linear: server("https://mcp.linear.app/mcp", "Issues"),
  monday: server("https://mcp.monday.com/mcp", "Boards"),
  neon: server("https://mcp.neon.tech/mcp", "Postgres databases"),
  notion: server("https://mcp.notion.com/mcp", "Pages and databases"),
  paypal: server("https://mcp.paypal.com/mcp", "Payments"),
  sentry: server("https://mcp.sentry.dev/mcp", "Errors of your programs"),
  "stripe-mcp": server("https://mcp.stripe.com", "Payments"),
  supabase: server("https://mcp.supabase.com/mcp", "Databases"),
  "vercel-mcp": server("https://mcp.vercel.com", "Web hosting"),
  "chrome-devtools": npx("A browser with its developer tools", "chrome-devtools-mcp@latest"),
  everything: npx("The test server of MCP", "@modelcontextprotocol/server-everything"),
  fetch: program("uvx", ["mcp-server-fetch"], "Web pages as text"),
  filesystem: npx("Files of this folder", "@modelcontextprotocol/server-filesystem", "."),
  memory: npx("A knowledge graph in a file", "@modelcontextprotocol/server-memory"),
  playwright: npx("A browser", "@playwright/mcp@latest"),
  "sequential-thinking": npx(
    "Reasoning step by step",
    "@modelcontextprotocol/server-sequential-thinking",
  ),
  time: program("uvx", ["mcp-server-time"], "Times and time zones"),
};
