import { defineOperation, agentErrorCode, errorFromUnknown } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { OperationContext } from "@waybill/core";
import type { CardKit, LateOperation } from "@waybill/core/cards";

type Input = Readonly<Record<string, unknown>>;

const REPOSITORY = { owner: { type: "string" }, name: { type: "string" } } as const;
const NAME = { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } as const;
const OUTPUT = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, created: { type: "boolean" } },
} as const;

/**
 * GitHub accepts a secret only if it is encrypted with the repository's key. The library is loaded
 * when needed.
 */
async function seal(value: string, key: string): Promise<string> {
  const sealedBox = await import("tweetnacl-sealedbox-js");
  return Buffer.from(
    sealedBox.default.seal(Buffer.from(value), Buffer.from(key, "base64")),
  ).toString("base64");
}

/**
 * Passes on the error of a nested write with its outcome, because the operation makes no other
 * write.
 */
async function onlyWrite(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (thrown) {
    throw errorFromUnknown(thrown).with({});
  }
}

async function setSecret({ value, ...input }: Input, context: OperationContext): Promise<object> {
  const { owner, name, secret } = input;
  const { data } = await context.look("secret.key.view", { owner, name });
  const { key, keyId } = isRecord(data) ? data : {};
  const encryptedValue = await seal(String(value), String(key));
  await onlyWrite(context.call("secret.put", { ...input, encryptedValue, keyId }));
  return { name: secret };
}

/** GitHub has separate endpoints to create and to change a variable. */
async function setVariable(input: Input, context: OperationContext): Promise<object> {
  const { variable: name } = input;
  try {
    await onlyWrite(context.call("variable.update", input));
    return { name, created: false };
  } catch (thrown) {
    if (agentErrorCode(errorFromUnknown(thrown)) !== "NOT_FOUND") throw thrown;
  }
  await onlyWrite(context.call("variable.create", input));
  return { name, created: true };
}

interface SetPlan {
  readonly id: string;
  readonly description: string;
  readonly input: object;
  readonly run: (input: Input, context: OperationContext) => Promise<object>;
}

const PLANS: readonly SetPlan[] = [
  {
    id: "secret.set",
    description: "Create or update an Actions secret of a repository",
    input: {
      type: "object",
      required: ["owner", "name", "secret", "value"],
      properties: {
        ...REPOSITORY,
        secret: NAME,
        value: { type: "string", minLength: 1, maxLength: 49_152, writeOnly: true },
      },
    },
    run: setSecret,
  },
  {
    id: "variable.set",
    description: "Create or update an Actions variable of a repository",
    input: {
      type: "object",
      required: ["owner", "name", "variable", "value"],
      properties: { ...REPOSITORY, variable: NAME, value: { type: "string", maxLength: 49_152 } },
    },
    run: setVariable,
  },
];

function setOperation({ id, description, input, run }: SetPlan, kit: CardKit): LateOperation {
  const parameters = Object.keys((input as { properties: object }).properties);
  const summary = { id, description, effect: "write", idempotent: true, kind: "call" } as const;
  const make: LateOperation["make"] = () => {
    const operation = defineOperation({
      id,
      description,
      effect: "write",
      idempotent: true,
      input: input as { type: "object" },
      output: OUTPUT,
      handler: (given, context) => run(given as Input, context) as Promise<never>,
    });
    const { spec } = operation;
    const normaliseInput = (params: Input): Input => kit.normaliseInput?.(params, spec) ?? params;
    return { ...operation, spec: { ...spec, normaliseInput } };
  };
  return { summary: { ...summary, parameters }, make };
}

/** Writes that need a lookup or a computation first, which a card cannot express. */
export function setOperations(kit: CardKit): LateOperation[] {
  return PLANS.map((plan) => setOperation(plan, kit));
}
