import { CallError } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { Issue } from "@waybill/core";
import type { McpSourceSettings } from "./settings.ts";

const NAME = /^[A-Za-z][\w-]{0,39}$/u;

function isHttpUrl(text: unknown): boolean {
  if (typeof text !== "string" || !URL.canParse(text)) return false;
  return ["http:", "https:"].includes(new URL(text).protocol);
}

/** A program that signs in needs a secret or a key. */
function hasProof({ clientSecret, privateKey }: Record<string, unknown>): boolean {
  return typeof clientSecret === "string" || typeof privateKey === "string";
}

function settingIssues(settings: Partial<Record<string, unknown>>): Issue[] {
  const issues: Issue[] = [];
  const { name, command, url, auth } = settings;
  if (typeof name !== "string" || !NAME.test(name)) {
    issues.push({
      path: "/name",
      message: "must begin with a letter and have at most 40 letters, digits, - or _",
    });
  }
  if ((command === undefined) === (url === undefined)) {
    issues.push({ path: "", message: "must have either a command or a url" });
  } else if (url !== undefined && !isHttpUrl(url)) {
    issues.push({ path: "/url", message: "must be an http or https address" });
  } else if (url === undefined && (typeof command !== "string" || command === "")) {
    issues.push({ path: "/command", message: "must be the name of a program" });
  }
  if (isRecord(auth) && auth["grant"] === "client_credentials" && !hasProof(auth)) {
    issues.push({ path: "/auth", message: "must have a clientSecret or a privateKey" });
  }
  return issues;
}

/** Settings may come from files, so invalid ones are refused before anything is started. */
export function checkSettings(settings: McpSourceSettings): void {
  const issues = settingIssues({ ...settings });
  if (issues.length === 0) return;
  const first = issues[0]!;
  const message = `MCP source: ${first.path.slice(1) || "it"} ${first.message}`;
  throw new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}
