import { ask } from "./ask.ts";

/** Sends a person's answer to a waiting call. */
export async function answerApproval(id: string, allow: boolean): Promise<void> {
  await ask(`/v1/inspect/approvals/${encodeURIComponent(id)}`, { body: { allow } });
}
