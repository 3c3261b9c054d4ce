// Runs the code blocks on a GitHub with octo/hello, in the tests and with installed packages.
import { card, codes, failed, otherForms, reasons, routes } from "./agentic-interface-spec.ts";
import { failure, success } from "./code-graph-envelope.ts";
import { dataIn, fromHttp, fromTool, readSource } from "./response-envelopes.ts";
import {
  advice,
  errorCase,
  executeWithRetry,
  successCase,
  throwIfError,
} from "./result-envelope.ts";
import { whichRoute } from "./routing.ts";

const HELLO = { owner: "octo", name: "hello" };

async function catchMessage(run: () => unknown): Promise<string> {
  try {
    await run();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function results(): Promise<unknown[]> {
  const missing = await executeWithRetry("repo.view", { owner: "octo" });
  return [
    await successCase(),
    await errorCase(),
    advice(missing).startsWith("Invalid input: "),
    (await catchMessage(() => throwIfError(missing))).startsWith("[VALIDATION] "),
  ];
}

function toolTexts(): unknown[] {
  const made = [success({ files: 1 }), failure({ scope: "x" })];
  return made.map(({ content: [block], isError }) => {
    const { data } = JSON.parse(block!.text) as { data: { tool: string; result: unknown } };
    return [isError ?? false, data.tool, data.result];
  });
}

async function responses(): Promise<unknown[]> {
  const tool = fromTool({
    content: [{ type: "text", text: "3" }],
    structuredContent: { total: 3 },
  });
  const http = await fromHttp(Response.json({ id: 1 }));
  const gone = await catchMessage(() =>
    fromHttp(new Response("", { status: 404, statusText: "Not Found" })),
  );
  return [readSource(tool), dataIn(tool), readSource(http), dataIn(http), gone];
}

/** Runs the code blocks of each document and returns their results, as in `expected.json`. */
export async function runAll(): Promise<Record<string, unknown>> {
  return {
    "result-envelope": await results(),
    routing: await whichRoute("repo.view", HELLO),
    "agentic-interface-spec": [
      card.capability_id,
      routes.length,
      reasons.length,
      codes.length,
      failed.ok,
      Object.keys(otherForms),
    ],
    "code-graph-envelope": toolTexts(),
    "response-envelopes": await responses(),
  };
}
