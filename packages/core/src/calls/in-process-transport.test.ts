import { describe, it } from "vitest";
import { transportContract } from "../testing/index.ts";
import { inProcessTransport } from "./index.ts";

describe("in-process transport", () => {
  for (const { name, run } of transportContract(inProcessTransport)) it(name, () => run());
});
