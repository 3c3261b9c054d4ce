import type { Command } from "../command.ts";
import { JSON_SWITCH } from "./options.ts";

/** Commands that sign in and out. */
export const CONNECTION_COMMANDS: readonly Command[] = [
  {
    name: "connect",
    summary: "Sign in to a source",
    usage: "<source>",
    options: {
      account: { value: "NAME", help: "Name of the account (default: default)" },
      "no-browser": {
        help: "Print the sign-in address, then paste the browser's final address here",
      },
      scheme: { value: "NAME", help: "openapi: the security scheme (default: the most used one)" },
      grant: {
        value: "GRANT",
        help: "authorization_code, device_code or client_credentials (default: the first offered)",
      },
      "client-id": { value: "ID", help: "Id of the registered application" },
      "client-secret-env": {
        value: "NAME",
        help: "Environment variable with the application's secret",
      },
      scope: { value: "SCOPES", help: "Ask for these scopes, such as read,write" },
      "redirect-url": {
        value: "URL",
        help: "Redirect address (default: http://127.0.0.1:41017/callback)",
      },
    },
    notes: [
      "Waybill detects how to sign in: OAuth for MCP servers and for APIs that describe it. Otherwise",
      "it asks for the token or key, which can also be piped in. Expired tokens are renewed.",
    ],
    load: () => import("../commands/connect.ts"),
  },
  {
    name: "connections",
    summary: "List the sources you are signed in to",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/connections.ts"),
  },
  {
    name: "disconnect",
    summary: "Delete the tokens of a source",
    usage: "<source>",
    options: { account: { value: "NAME", help: "The account, if there are several" } },
    load: () => import("../commands/disconnect.ts"),
  },
];
