import { formatCount } from "../components/format.ts";
import { FileList } from "./file-list.tsx";
import { Known, ToolSection } from "./tool-answer.tsx";
import { getImpact } from "./tools.ts";
import type { ImpactAnswer } from "./tools.ts";
import { useTool } from "./use-tool.ts";

interface Props {
  /** The changed file; undefined for all uncommitted changes. */
  readonly target: string | undefined;
  readonly version: number;
  readonly onPick: (path: string) => void;
}

const TONES: Readonly<Record<string, string>> = { low: "good", medium: "warn", high: "bad" };

function Steps({ impact }: { readonly impact: ImpactAnswer }) {
  return (
    <ul class="steps small">
      {Object.values(impact.transitiveImpact).map((count, at) => (
        <li key={at}>
          <strong>{formatCount(count)}</strong> {at === 0 ? "directly" : `in ${at + 1} steps`}
        </li>
      ))}
    </ul>
  );
}

/** The effects of a change, from `graph.impact`. */
export function ImpactDetails({ target, version, onPick }: Props) {
  const call = getImpact(target);
  const answer = useTool<ImpactAnswer>(call, version);
  const title = target === undefined ? "Impact of the working diff" : "Impact";
  return (
    <ToolSection title={title} call={call} answer={answer}>
      {(impact) => (
        <>
          <p class="row small">
            <span class="tag" data-tone={TONES[impact.riskAssessment.level]}>
              risk {impact.riskAssessment.level}
            </span>
            <span>{impact.riskAssessment.reason}</span>
          </p>
          <p class="small soft">{impact.riskAssessment.factors.join(", ")}</p>
          <Steps impact={impact} />
          {impact.affectedEntrypoints.length > 0 && (
            <>
              <h4>
                Entrypoints ({impact.affectedEntrypointsTotal ?? impact.affectedEntrypoints.length})
              </h4>
              <ul class="small">
                {impact.affectedEntrypoints.map(({ type, name }) => (
                  <li key={`${type} ${name}`}>
                    <span class="tag">{type}</span> <span class="mono">{name}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <h4>Tests ({impact.affectedTestsTotal ?? impact.affectedTests.length})</h4>
          <FileList label="Affected tests" paths={impact.affectedTests} onPick={onPick} />
          <Known completeness={impact.completeness} why={impact.why} />
        </>
      )}
    </ToolSection>
  );
}
