// The code blocks of the document, as an installed program uses them.
import { executeTask } from "waybill";

export async function whichRoute(task: string, input: unknown): Promise<string[]> {
  const said: string[] = [];
  const result = await executeTask(task, input);

  if (result.meta.route_used === "cli") {
    said.push("Executed via CLI");
  } else if (result.meta.route_used === "graphql") {
    said.push("Executed via GraphQL");
  }

  if (result.meta.attempts && result.meta.attempts.length > 1) {
    said.push("Fallback was triggered");
  }
  return said;
}
