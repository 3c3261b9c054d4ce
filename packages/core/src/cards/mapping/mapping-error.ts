import type { ErrorCode, Issue } from "../../envelope/index.ts";

/** A value that a mapping cannot handle. */
export class MappingError extends Error {
  override readonly name = "MappingError";
  /** Path in the mapping's result. */
  readonly at: string;
  readonly allowed: readonly string[] | undefined;
  readonly near: string | undefined;
  /** The error code. If undefined, the code depends on whether an input or an answer was mapped. */
  readonly code: ErrorCode | undefined;

  constructor(
    at: string,
    message: string,
    facts: {
      readonly allowed?: readonly string[];
      readonly near?: string | undefined;
      readonly code?: ErrorCode;
    } = {},
  ) {
    super(message);
    this.at = at;
    this.allowed = facts.allowed;
    this.near = facts.near;
    this.code = facts.code;
  }

  issue(): Issue {
    const path = this.at === "" ? "" : `/${this.at.replaceAll(".", "/")}`;
    return {
      path,
      message: this.message,
      ...(this.allowed === undefined ? {} : { allowed: this.allowed }),
      ...(this.near === undefined ? {} : { did_you_mean: this.near }),
    };
  }
}
