import { generateKeyPairSync } from "node:crypto";
import { need } from "../access.ts";
import { StoreError, invalid } from "../errors.ts";
import type { Repository, RepositoryKey, User } from "../model.ts";
import type { Store } from "../store.ts";

/** The key that encrypts a repository's secrets, created on first use. */
export function secretKey(repository: Repository): RepositoryKey {
  repository.secretKey ??= makeKey();
  return repository.secretKey;
}

function makeKey(): RepositoryKey {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const [open, secret] = [publicKey, privateKey].map((key) => key.export({ format: "jwk" }));
  return { id: "568250167242549743", publicKey: base64(open?.x), privateKey: base64(secret?.d) };
}

function base64(text: string | undefined): string {
  return Buffer.from(text ?? "", "base64url").toString("base64");
}

function checkName(resource: string, name: string): void {
  if (/^[A-Za-z_]\w*$/.test(name) && !/^GITHUB_/i.test(name)) return;
  const message = `${resource} names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_).`;
  throw new StoreError("UNPROCESSABLE", message);
}

export interface SealedValue {
  readonly encrypted: string;
  readonly keyId: string;
}

/** Sets a secret. Returns whether it is new. */
export function setSecret(
  store: Store,
  actor: User,
  repository: Repository,
  name: string,
  { encrypted, keyId }: SealedValue,
): boolean {
  need(actor, repository, "ADMIN");
  checkName("Secret", name);
  if (keyId !== secretKey(repository).id)
    throw invalid({ resource: "Secret", field: "key_id", code: "invalid" });
  const old = repository.secrets.get(name.toUpperCase());
  const createdAt = old?.createdAt ?? store.now();
  const secret = { name: name.toUpperCase(), value: encrypted, createdAt, updatedAt: store.now() };
  repository.secrets.set(secret.name, secret);
  store.count("setSecret");
  return old === undefined;
}

export function setVariable(
  store: Store,
  actor: User,
  repository: Repository,
  name: string,
  value: string,
): void {
  need(actor, repository, "WRITE");
  checkName("Variable", name);
  const key = name.toUpperCase();
  const createdAt = repository.variables.get(key)?.createdAt ?? store.now();
  repository.variables.set(key, { name: key, value, createdAt, updatedAt: store.now() });
  store.count("setVariable");
}

export function removeSetting(
  store: Store,
  actor: User,
  repository: Repository,
  kind: "secrets" | "variables",
  name: string,
): void {
  need(actor, repository, "WRITE");
  if (!repository[kind].delete(name.toUpperCase())) throw new StoreError("NOT_FOUND", "Not Found");
  store.count(kind === "secrets" ? "deleteSecret" : "deleteVariable");
}
