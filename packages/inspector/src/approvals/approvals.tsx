import type { ApprovalsAnswer } from "@waybill/server";
import { useState } from "preact/hooks";
import { answerApproval } from "../api/approvals.ts";
import { formatCount, formatTime } from "../components/format.ts";
import { inputSummary } from "../components/input-summary.ts";
import { Panel } from "../components/panel.tsx";
import { errorMessage } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { readProgramList } from "./program-list.ts";
import type { ProgramList } from "./program-list.ts";

const REFRESH_MS = 4_000;

type Waiting = ApprovalsAnswer["approvals"][number];

/** Lists all calls that wait for a person. Shows nothing if there are none. */
export function Approvals() {
  const [turn, setTurn] = useState(0);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { value } = useAnswer<ApprovalsAnswer>("/v1/inspect/approvals", {
    everyMs: REFRESH_MS,
    turn,
  });
  const waiting = (value?.approvals ?? []).filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return null;
  const answer = (id: string, allow: boolean): void => {
    const answered = answerApproval(id, allow).then(
      () => setProblem(undefined),
      (thrown: unknown) => setProblem(errorMessage(thrown)),
    );
    void answered.then(() => setTurn((last) => last + 1));
  };
  return (
    <Panel title="Waiting for your approval" aside={`${waiting.length}`} class="approvals">
      {problem !== undefined && <p class="notice small">{problem}</p>}
      <ul class="stack">
        {waiting.map((one) => (
          <Approval key={one.id} waiting={one} onAnswer={(allow) => answer(one.id, allow)} />
        ))}
      </ul>
    </Panel>
  );
}

interface ApprovalProps {
  readonly waiting: Waiting;
  readonly onAnswer: (allow: boolean) => void;
}

function Approval({ waiting, onAnswer }: ApprovalProps) {
  const { capability_id, params, caller, requestedAt } = waiting;
  const list = readProgramList(params);
  return (
    <li class="row">
      <code>{capability_id}</code>
      {list === undefined ? <code class="soft">{params}</code> : <ProgramWrites list={list} />}
      <span class="soft small">
        {caller === undefined ? "" : `by ${caller}, `}
        {formatTime(requestedAt)}
      </span>
      <span class="end row">
        <button type="button" class="button" onClick={() => onAnswer(false)}>
          Deny
        </button>
        <button type="button" class="button danger" onClick={() => onAnswer(true)}>
          Allow once
        </button>
      </span>
    </li>
  );
}

/** Lists the writes of a program, and shows the program itself on request. */
function ProgramWrites({ list: { waiting, unfinished, program } }: { readonly list: ProgramList }) {
  return (
    <div class="program-writes stack">
      <ul>
        {waiting.map(({ capability_id, count, examples }) => (
          <li key={capability_id}>
            {formatCount(count)} × <code>{capability_id}</code>{" "}
            <span class="soft">
              {examples.map((input) => inputSummary(JSON.stringify(input))).join(" · ")}
              {count > examples.length && " · …"}
            </span>
          </li>
        ))}
      </ul>
      {unfinished !== undefined && <p class="soft small">{unfinished}</p>}
      <details>
        <summary class="small">Program</summary>
        <pre class="code-block">{program}</pre>
      </details>
    </div>
  );
}
