import { StoreError } from "../../store/errors.ts";
import type { RepositorySetting } from "../../store/model.ts";
import * as secrets from "../../store/mutations/secrets.ts";
import type { RestCall, Routes } from "../call.ts";
import { countedReply } from "../pages.ts";
import { created, json, noContent, ok } from "../reply.ts";

function secretView({ name, createdAt, updatedAt }: RepositorySetting): Record<string, string> {
  return { name, created_at: createdAt, updated_at: updatedAt };
}

function variableView(variable: RepositorySetting): Record<string, string> {
  return { ...secretView(variable), value: variable.value };
}

function settingAt(call: RestCall, kind: "secrets" | "variables"): RepositorySetting {
  const name = call.param(kind === "secrets" ? "secret_name" : "name");
  const found = call.repository[kind].get(name.toUpperCase());
  if (found === undefined) throw new StoreError("NOT_FOUND", "Not Found");
  return found;
}

const SECRETS = "/repos/{owner}/{repo}/actions/secrets";
const SECRET = `${SECRETS}/{secret_name}`;
const VARIABLES = "/repos/{owner}/{repo}/actions/variables";
const VARIABLE = `${VARIABLES}/{name}`;

/** Secrets and variables of a repository's workflows. The values of secrets cannot be read. */
export const settingRoutes: Routes = {
  [`GET ${SECRETS}`]: (call) =>
    countedReply(call, "secrets", [...call.repository.secrets.values()], secretView),
  [`GET ${SECRETS}/public-key`]: ({ repository }) => {
    const { id, publicKey } = secrets.secretKey(repository);
    return ok({ key_id: id, key: publicKey });
  },
  [`GET ${SECRET}`]: (call) => ok(secretView(settingAt(call, "secrets"))),
  [`PUT ${SECRET}`]: (call) => {
    const { store, viewer, repository, body } = call;
    const sealed = { encrypted: body.string("encrypted_value"), keyId: body.string("key_id") };
    const name = call.param("secret_name");
    return secrets.setSecret(store, viewer, repository, name, sealed) ? json(201, {}) : noContent;
  },
  [`DELETE ${SECRET}`]: (call) => {
    const { store, viewer, repository } = call;
    secrets.removeSetting(store, viewer, repository, "secrets", call.param("secret_name"));
    return noContent;
  },
  [`GET ${VARIABLES}`]: (call) =>
    countedReply(call, "variables", [...call.repository.variables.values()], variableView),
  [`POST ${VARIABLES}`]: (call) => {
    const { store, viewer, repository, body } = call;
    const name = body.string("name");
    if (repository.variables.has(name.toUpperCase()))
      throw new StoreError("CONFLICT", "Already exists - Variable already exists");
    secrets.setVariable(store, viewer, repository, name, body.string("value"));
    return created({});
  },
  [`GET ${VARIABLE}`]: (call) => ok(variableView(settingAt(call, "variables"))),
  [`PATCH ${VARIABLE}`]: (call) => {
    const { store, viewer, repository, body } = call;
    const { name, value } = settingAt(call, "variables");
    secrets.setVariable(store, viewer, repository, name, body.text("value") ?? value);
    return noContent;
  },
  [`DELETE ${VARIABLE}`]: (call) => {
    const { store, viewer, repository } = call;
    secrets.removeSetting(store, viewer, repository, "variables", call.param("name"));
    return noContent;
  },
};
