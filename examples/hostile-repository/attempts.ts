import { AFTER_TRUST } from "./after-trust.ts";
import type { Attempt } from "./attempt.ts";
import { BEFORE_TRUST } from "./before-trust.ts";
import { CLAIMS } from "./claims.ts";

export const ATTEMPTS: readonly Attempt[] = [...BEFORE_TRUST, ...AFTER_TRUST, ...CLAIMS];
