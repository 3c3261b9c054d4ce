import { createHttpTransport } from "@waybill/adapters/http";
import { graphSource } from "@waybill/codegraph";
import { createWaybill } from "@waybill/core";
import { findGithub, githubSource } from "@waybill/github";
import { capabilityMembers } from "../packages/cli/src/types/print-capabilities.ts";
import { root } from "./run.mjs";

/** The types of `executeTask` for all capabilities of the packs. */
export async function renderCapabilityTypes(): Promise<string> {
  const place = await findGithub({ env: {}, state: root });
  const transport = createHttpTransport();
  const github = githubSource(place, { env: {}, transport, userAgent: "" });
  const waybill = createWaybill({ sources: [github, graphSource({ root })] });
  const specs = (await waybill.operations()).filter(({ kind }) => kind === "call");
  await waybill.close();
  transport.close();
  return `// Generated from the packs by \`npm run generate\`. Do not edit.

/** Types of the capabilities that come with Waybill, by id. */
export interface PackCapabilities {
${capabilityMembers(specs)}
}
`;
}
