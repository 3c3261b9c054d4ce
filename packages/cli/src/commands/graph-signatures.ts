import { listGraphTools } from "@waybill/codegraph";
import { isRecord } from "@waybill/core/schema";
import { describeInput } from "../skill/describe-input.ts";

interface ToolInputs {
  readonly name: string;
  /** Describes each input as text, by its name. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** The most allowed values to print. The tool's error lists the values of longer lists. */
const MOST_VALUES = { own: 7, items: 7 };

function requiredIn(schema: object): readonly unknown[] {
  const required = isRecord(schema) ? schema["required"] : undefined;
  return Array.isArray(required) ? required : [];
}

function getInputs({ name, inputSchema }: { name: string; inputSchema: object }): ToolInputs {
  const required = requiredIn(inputSchema);
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  const described = Object.entries(isRecord(properties) ? properties : {}).map(
    ([input, schema]) => {
      return [input, describeInput(input, schema, required.includes(input), MOST_VALUES)] as const;
    },
  );
  const inputs = new Map(described.toSorted(([a], [b]) => rank(required, a) - rank(required, b)));
  return { name: name.replace(/^graph_/u, ""), inputs };
}

/** Required inputs come first. */
function rank(required: readonly unknown[], name: string): number {
  return required.includes(name) ? 0 : 1;
}

/** The inputs that all tools share, which are printed once. */
function commonIn(tools: readonly ToolInputs[]): readonly string[] {
  const [first] = tools;
  return [...(first?.inputs.keys() ?? [])].filter((input) =>
    tools.every(({ inputs }) => inputs.get(input) === first?.inputs.get(input)),
  );
}

/** One line for each tool with its inputs, from the tools' schemas. */
export function graphSignatures(): string[] {
  const tools = listGraphTools().map(getInputs);
  const common = commonIn(tools);
  const lines = tools.map(({ name, inputs }) => {
    const own = [...inputs].filter(([input]) => !common.includes(input)).map(([, text]) => text);
    return `  ${name}(${own.join(", ")})`;
  });
  const shared = common.map((input) => tools[0]!.inputs.get(input)!).join(", ");
  return [`Tools; ? marks optional inputs, and all tools take ${shared}:`, ...lines];
}
