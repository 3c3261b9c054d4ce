export { MIN_SECRET_LENGTH } from "./known-secrets.ts";
export { createRedactor } from "./redact.ts";
export type { Redactor } from "./redact.ts";
export { isSecretName } from "./secret-shapes.ts";
