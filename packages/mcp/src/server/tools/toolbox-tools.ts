import type { JsonSchemaObject } from "@waybill/core/schema";
import type { Answers } from "../answers.ts";
import type { ToolFormat } from "../project/formats.ts";
import { projectInput } from "../project/project-input.ts";
import type { ServedTool } from "../surface.ts";
import type { Toolbox } from "../toolbox.ts";

/** The tools of other packages, with schemas in the format of the client. */
export function toolboxTools(
  toolbox: Toolbox | undefined,
  formats: readonly ToolFormat[],
  answers: Answers,
): ServedTool[] {
  const tools = toolbox?.tools ?? [];
  return tools.map(({ name, description, inputSchema }) => ({
    definition: {
      name,
      description,
      inputSchema: projectInput(inputSchema as JsonSchemaObject, formats).schema,
    } as ServedTool["definition"],
    async call(args, { signal }) {
      return answers.tool(await toolbox!.call(name, args, { signal }));
    },
  }));
}
