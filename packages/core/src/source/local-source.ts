import type { Operation } from "../operation/index.ts";
import { missingOperation } from "./missing-operation.ts";
import type { Source } from "./source.ts";

/**
 * Local functions as a source.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation, localSource } from "@waybill/core";
 *
 * const hello = defineOperation({
 *   id: "hello.say",
 *   description: "Say hello",
 *   effect: "read",
 *   handler: () => "Hello",
 * });
 * const waybill = createWaybill({ sources: [localSource("greetings", [hello])] });
 * console.log((await waybill.execute("hello.say", {})).data);
 * ```
 *
 * ```text
 * Hello
 * ```
 */
export function localSource(name: string, operations: Iterable<Operation>): Source {
  const byId = new Map<string, Operation>();
  for (const operation of operations) {
    const { id } = operation.spec;
    if (byId.has(id))
      throw new TypeError(`${name} defines ${id} twice; give one of them another id`);
    byId.set(id, operation);
  }
  const find = (id: string): Operation => {
    const operation = byId.get(id);
    if (operation !== undefined) return operation;
    throw missingOperation(name, id);
  };
  return {
    name,
    list: () => Promise.resolve([...byId.values()].map(({ spec }) => spec)),
    describe: (id) => find(id).spec,
    runOf: (id) => find(id).run,
    close: () => Promise.resolve(),
  };
}
