import type { Input } from "../../input.ts";
import type { Context, Fields } from "../context.ts";
import { needScope } from "../scopes.ts";

/** The function of each mutation. It gets the `input` and returns the payload. */
export type Mutations = Readonly<
  Record<string, (input: Input, context: Context) => Readonly<Record<string, unknown>>>
>;

function mutationScope(name: string): string {
  return name.includes("ProjectV2") ? "project" : "public_repo";
}

/** Checks the token's scopes, runs the mutation, and adds `clientMutationId` to the payload. */
export function mutationFields(mutations: Mutations): Fields<unknown> {
  return Object.fromEntries(
    Object.entries(mutations).map(([name, run]) => [
      name,
      (_root: unknown, args: Input, context: Context) => {
        needScope(context.scopes, name, mutationScope(name));
        const input = args.child("input");
        return { clientMutationId: input.text("clientMutationId") ?? null, ...run(input, context) };
      },
    ]),
  );
}
