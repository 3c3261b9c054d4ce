import { useRef, useState } from "preact/hooks";
import { execute } from "../api/execute.ts";
import type { Ran } from "../api/execute.ts";
import { answerApproval } from "../api/approvals.ts";
import { errorMessage } from "../components/states.tsx";

export interface Asked {
  /** The id of the approval that the call waits for. */
  readonly approval: string;
  readonly message: string;
  readonly params: unknown;
}

export interface Runner {
  readonly isRunning: boolean;
  readonly ran?: Ran | undefined;
  readonly problem?: string | undefined;
  /** The call is waiting for a person's answer. */
  readonly asked?: Asked | undefined;
  readonly run: (params: unknown) => void;
  /** Shows the requests that would be sent, without sending them. */
  readonly tryOut: (params: unknown) => void;
  readonly answer: (agrees: boolean) => void;
}

interface RunnerState {
  readonly isRunning: boolean;
  readonly ran?: Ran | undefined;
  readonly problem?: string | undefined;
  readonly asked?: Asked | undefined;
}

/**
 * Runs a capability. Each write gets a new idempotency key. A write with an unknown outcome keeps
 * its key, so that running it again cannot apply it twice.
 */
export function useRunner(id: string, isWrite: boolean): Runner {
  const [state, setState] = useState<RunnerState>({ isRunning: false });
  const pending = useRef<{ readonly key: string; readonly params: string } | undefined>(undefined);

  const go = async (params: unknown, approval?: string): Promise<void> => {
    setState({ isRunning: true });
    const text = JSON.stringify(params);
    const key = pending.current?.params === text ? pending.current.key : crypto.randomUUID();
    pending.current = { key, params: text };
    try {
      if (approval !== undefined) await answerApproval(approval, true);
      const ran = await execute(id, params, isWrite ? { idempotency_key: key } : {});
      const needed = ran.error?.approval;
      if (ran.ok || ran.error?.outcome === "not_applied") pending.current = undefined;
      const asked = needed === undefined ? undefined : askedFor(ran, needed, params);
      setState({ isRunning: false, ran, asked });
    } catch (thrown) {
      setState({ isRunning: false, problem: errorMessage(thrown) });
    }
  };
  const describe = async (params: unknown): Promise<void> => {
    setState({ isRunning: true });
    try {
      setState({ isRunning: false, ran: await execute(id, params, { dry_run: true }) });
    } catch (thrown) {
      setState({ isRunning: false, problem: errorMessage(thrown) });
    }
  };
  return {
    ...state,
    run: (params) => void go(params),
    tryOut: (params) => void describe(params),
    answer: (agrees) => {
      const { asked } = state;
      setState({ isRunning: false });
      if (asked === undefined) return;
      if (agrees) void go(asked.params, asked.approval);
      // Rejects the approval of a cancelled call, so that it does not keep waiting.
      else answerApproval(asked.approval, false).catch(() => {});
    },
  };
}

function askedFor({ error }: Ran, approval: string, params: unknown): Asked {
  return { approval, message: error?.message ?? "", params };
}
