// The code blocks of the document, as an installed program uses them.
import type { ResultEnvelope } from "@waybill/core";
import { executeTask } from "waybill";

export async function successCase(): Promise<string | undefined> {
  const result = await executeTask("repo.view", { owner: "octo", name: "hello" });
  if (result.ok) {
    const repoName = result.data.nameWithOwner;
    const route = result.meta.route_used;
    return `${repoName} via ${route}`;
  }
  return undefined;
}

export async function errorCase(): Promise<string[]> {
  const said: string[] = [];
  const result = await executeTask("repo.view", { owner: "octo", name: "nope" });
  if (!result.ok) {
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- As the document has it.
    const { code, message, retryable } = result.error!;

    if (code === "NOT_FOUND") {
      said.push(`Resource not found: ${message}`);
    }

    if (retryable) {
      said.push("Safe to retry");
    }
  }
  return said;
}

export function advice(result: ResultEnvelope): string {
  switch (result.error?.code) {
    case "AUTH":
      return "Check your GITHUB_TOKEN";
    case "RATE_LIMIT":
      return "Wait 60+ seconds before retrying";
    case "VALIDATION":
      return `Invalid input: ${JSON.stringify(result.error.details)}`;
    default:
      return "";
  }
}

export function throwIfError(result: ResultEnvelope): unknown {
  if (!result.ok) {
    throw new Error(`[${result.error?.code}] ${result.error?.message}`);
  }
  return result.data;
}

export async function executeWithRetry(task: string, input: unknown): Promise<ResultEnvelope> {
  const result = await executeTask(task, input);

  if (!result.ok && result.error?.retryable) {
    return executeTask(task, input);
  }

  return result;
}
