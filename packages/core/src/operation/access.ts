/** A caller and its permissions. */
export interface Identity {
  /** The name of the caller. Keys, approvals and handles belong to it. */
  readonly id: string;
  /** The scopes of the caller. */
  readonly scopes: readonly string[];
  /** Actions allowed on each resource; `*` allows them all (default: none). */
  readonly resources?: Readonly<Record<string, readonly string[]>>;
}

/** The identity of an unknown caller. Every access rule refuses it. */
export const NOBODY: Identity = Object.freeze({ id: "", scopes: Object.freeze([]) });

/** The requirements that an identity must meet to call an operation. */
export interface AccessControl {
  /** All of these scopes are required (default: none). */
  readonly all?: readonly string[];
  /** At least one of these scopes is required (default: none). */
  readonly any?: readonly string[];
  /** The kind of resource on which `action` must be allowed (default: none). */
  readonly resource?: string;
  /** The action that must be allowed on `resource` (default: `*`, all of them). */
  readonly action?: string;
}

function missingScopes(access: AccessControl, scopes: readonly unknown[]): string | undefined {
  const missing = (access.all ?? []).filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) return `needs the scope ${missing.join(" and ")}`;
  const any = access.any ?? [];
  if (any.length > 0 && !any.some((scope) => scopes.includes(scope))) {
    return `needs one of the scopes ${any.join(", ")}`;
  }
  return undefined;
}

function missingAction(access: AccessControl, identity: Identity): string | undefined {
  const { resource, action = "*" } = access;
  if (resource === undefined)
    return access.action === undefined
      ? undefined
      : "the access rule of the operation has an action, but no resource";
  const resources = identity.resources ?? {};
  const actions = Object.hasOwn(resources, resource) ? toArray(resources[resource]) : [];
  if (actions.includes("*") || actions.includes(action)) return undefined;
  return `needs ${access.action ?? "access"} on ${resource}`;
}

/** Identities come from outside, and a string must not be read as a list of characters. */
function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Why the identity may not call the operation, or undefined if it may. An unknown caller is
 * refused if there is any rule.
 */
export function accessDenial(
  access: AccessControl | undefined,
  identity: Identity | undefined,
): string | undefined {
  if (access === undefined) return undefined;
  const caller = identity ?? NOBODY;
  return missingScopes(access, toArray(caller.scopes)) ?? missingAction(access, caller);
}
