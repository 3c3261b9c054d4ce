import { StoreError, forbidden } from "./errors.ts";
import { PERMISSIONS } from "./model.ts";
import type { Permission, Repository, User } from "./model.ts";

export function findPermission(user: User, repository: Repository): Permission | undefined {
  if (repository.owner === user) return "ADMIN";
  return repository.collaborators.get(user) ?? (repository.isPrivate ? undefined : "READ");
}

export function can(user: User, repository: Repository, permission: Permission): boolean {
  const own = findPermission(user, repository);
  return own !== undefined && PERMISSIONS.indexOf(own) >= PERMISSIONS.indexOf(permission);
}

/**
 * Refuses a user without the permission. For a repository that the user may not see, the error is
 * "not found".
 */
export function need(user: User, repository: Repository, permission: Permission): void {
  if (!can(user, repository, "READ")) throw new StoreError("NOT_FOUND", "Not Found");
  if (!can(user, repository, permission)) {
    throw forbidden(`${user.login} does not have the correct permissions to execute this action`);
  }
  if (repository.isArchived && permission !== "READ" && permission !== "ADMIN") {
    throw forbidden("Repository was archived so is read-only.");
  }
}

/** Authors may change their own objects; others need a permission. */
export function needUnlessAuthor(
  user: User,
  subject: { readonly author: User },
  repository: Repository,
  permission: Permission,
): void {
  need(user, repository, subject.author === user ? "READ" : permission);
}
