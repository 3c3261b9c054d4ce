import { WHOLE_ANSWERS, briefAnswers } from "./answers.ts";
import { Media } from "./media.ts";
import { DEFAULT_MAX_TOKENS } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { formatsFor } from "./project/formats.ts";
import { RESULT_TEMPLATE, readStoredResult } from "./results.ts";
import type { Surface } from "./surface.ts";
import { CapabilityTools } from "./tools/capability-tools.ts";
import { codeTool } from "./tools/code-tool.ts";
import { fourTools } from "./tools/four-tools.ts";
import { toolboxTools } from "./tools/toolbox-tools.ts";
import { Upstream } from "./upstream.ts";

const PROMPT = { name: "waybill", description: "How to use Waybill" };

/**
 * The part of a Waybill that MCP clients get. `hasOneReader` is true for stdio, which has one
 * client.
 */
export function waybillSurface(options: McpServerOptions, hasOneReader = false): Surface {
  const { waybill, skill, toolbox, tools: patterns = [] } = options;
  const { maxTokens = DEFAULT_MAX_TOKENS } = options;
  const answers = options.brief === true ? briefAnswers(hasOneReader) : WHOLE_ANSWERS;
  const media = new Media(options.handles);
  const four = options.withoutFourTools === true ? [] : fourTools(maxTokens, answers, media);
  const programs = options.code === undefined ? [] : [codeTool(options.code, maxTokens, answers)];
  const fixed = [...four, ...programs];
  const names = [...fixed.map(({ definition }) => definition), ...(toolbox?.tools ?? [])];
  const taken = names.map(({ name }) => name);
  const isStructured = options.structured === true;
  const kit = { patterns, taken, maxTokens, answers, media, isStructured };
  const own = new CapabilityTools(waybill, kit);
  return {
    answers,
    async tools(client) {
      const formats = formatsFor(client?.name);
      return [...fixed, ...toolboxTools(toolbox, formats, answers), ...(await own.list(formats))];
    },
    // Handles are never listed, because the holder of a handle can read the data.
    resources: [],
    templates: [RESULT_TEMPLATE],
    read: async (uri, caller, context) =>
      (await media.resource(uri, context)) ?? readStoredResult(caller, uri),
    upstream: options.upstream && new Upstream(options.upstream),
    prompts: skill === undefined ? [] : [PROMPT],
    prompt(name) {
      if (skill === undefined || name !== PROMPT.name) return undefined;
      const content = { type: "text", text: skill } as const;
      return { description: PROMPT.description, messages: [{ role: "user", content }] };
    },
  };
}
