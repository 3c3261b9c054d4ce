import { ask } from "./ask.ts";

/** A person's answer to a call that waits. */
export async function answerApproval(id: string, allow: boolean): Promise<void> {
  await ask(`/v1/inspect/approvals/${encodeURIComponent(id)}`, { body: { allow } });
}
