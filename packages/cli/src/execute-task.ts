import type { Capabilities, ResultEnvelope, Waybill } from "@waybill/core";
import type { ExecuteKnown } from "@waybill/core/protocol";
import type { Io } from "./io.ts";
import { describeFailure } from "./output/report-failure.ts";
import type { PackCapabilities } from "./generated/pack-capabilities.ts";
import { withWaybill } from "./waybill/index.ts";

/**
 * Idle time in milliseconds after which programs that a source started are stopped. Otherwise they
 * would keep this process alive.
 */
const IDLE_MS = 1_000;

/** A Waybill that is shared by tasks in the same folder with the same environment. */
class Session {
  readonly waybill: Promise<Waybill>;
  #close = (): void => {};
  #running = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(io: Io) {
    const closed = new Promise<void>((resolve) => (this.#close = resolve));
    this.waybill = new Promise((resolve, reject) => {
      const use = (waybill: Waybill): Promise<void> => {
        resolve(waybill);
        return closed;
      };
      withWaybill(io, use, { unlisted: true, checkout: true }).catch(reject);
    });
  }

  async run<T>(use: (waybill: Waybill) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#running += 1;
    try {
      return await use(await this.waybill);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  #end(): void {
    if (session?.opened === this) session = undefined;
    this.#close();
  }
}

let session: { readonly surroundings: string; readonly opened: Session } | undefined;

/**
 * The session of the current folder and environment. An older session closes after its tasks end.
 */
function currentSession(): Session {
  const { env, stdin, stdout, stderr } = process;
  const cwd = process.cwd();
  const surroundings = JSON.stringify([cwd, env]);
  if (session?.surroundings !== surroundings) {
    const io = { argv: [], stdin, stdout, stderr, env: { ...env }, cwd, isTTY: false };
    session = { surroundings, opened: new Session(io) };
  }
  return session.opened;
}

async function execute(
  capability_id: string,
  ...call: readonly unknown[]
): Promise<ResultEnvelope<never>> {
  try {
    return await currentSession().run((waybill) =>
      Reflect.apply(waybill.execute, waybill, [capability_id, ...call]),
    );
  } catch (thrown) {
    session = undefined;
    const error = await describeFailure(thrown, process);
    return { ok: false, data: null, error, meta: { capability_id } };
  }
}

/**
 * Calls a capability with the packs, configuration and journal of the current folder, as `waybill
 * run` does. Never throws. The capabilities of the packs are typed; `waybill types` adds those of a
 * configuration.
 */
export const executeTask: ExecuteKnown<PackCapabilities & Capabilities> = execute;
