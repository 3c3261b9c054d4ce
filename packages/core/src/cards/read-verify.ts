import type { CardProbe, CardVerify } from "./card.ts";
import type { PreparedProbe, PreparedVerify } from "./prepared.ts";
import { readLookup, readPath } from "./read-lookup.ts";
import { readMembers } from "./read-parts.ts";
import type { Reading } from "./read-query.ts";

const APIS = ["graphql", "rest"] as const;

function readContainer(
  reading: Reading,
  { container, path }: CardProbe,
  pointer: string,
): Pick<PreparedProbe, "container" | "containerRequest"> {
  if (container === undefined) return {};
  const at = `${pointer}/container`;
  if (path === undefined || !container.startsWith("/"))
    return { container: reading.reader.read(container, at) };
  return { containerRequest: readPath(reading, container, at) };
}

function readProbe(reading: Reading, probe: CardProbe, pointer: string): PreparedProbe {
  const { request, value } = readLookup(reading, probe, pointer);
  return {
    request,
    value,
    ...readContainer(reading, probe, pointer),
    ...(probe.fallback !== undefined && { fallback: probe.fallback }),
    ...(probe.second !== undefined && {
      second: readPath(reading, probe.second, `${pointer}/second`),
    }),
    ...readMembers(reading.reader, probe, pointer, ["when", "viewer"]),
  };
}

function readProbes(
  reading: Reading,
  verify: CardVerify,
): Pick<PreparedVerify, "graphql" | "rest"> {
  const probes = APIS.flatMap((api) => {
    const probe = verify[api];
    return probe === undefined ? [] : [[api, readProbe(reading, probe, `/verify/${api}`)] as const];
  });
  return Object.fromEntries(probes);
}

/** Parses the `verify` part of a card, which finds out whether its write was applied. */
export function readVerify(
  reading: Reading,
  verify: CardVerify | undefined,
): { verify?: PreparedVerify } {
  if (verify === undefined) return {};
  const { kind = "created", capability, created, authoritative, before, unsettled } = verify;
  const { params = { is: "object", fields: [] }, ...read } = readMembers(
    reading.reader,
    verify,
    "/verify",
    ["when", "params", "same", "output"],
  );
  return {
    verify: {
      kind,
      ...(unsettled !== undefined && { unsettled }),
      ...(capability !== undefined && { capability }),
      ...(created !== undefined && { created }),
      ...(authoritative !== undefined && { authoritative }),
      ...(before !== undefined && { before }),
      ...read,
      params,
      same: read.same ?? { is: "object", fields: [] },
      ...readProbes(reading, verify),
    },
  };
}
