import { transportContract } from "@waybill/core/testing";
import { it } from "vitest";
import { describeWithServer, newService } from "../../../test/support/nats.ts";
import { connectNats } from "./index.ts";

describeWithServer((server) => {
  const cases = transportContract(async () => {
    const link = await connectNats({ servers: server().url, service: newService() });
    return link.transport;
  });
  for (const { name, run } of cases) it(name, () => run());
});
