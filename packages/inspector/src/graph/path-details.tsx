import { FileButton } from "./file-list.tsx";
import { Known, ToolSection } from "./tool-answer.tsx";
import { pathBetween } from "./tools.ts";
import type { PathAnswer } from "./tools.ts";
import type { ToolAnswer } from "./use-tool.ts";

interface Props {
  readonly from: string;
  readonly to: string;
  readonly answer: ToolAnswer<PathAnswer>;
  readonly onPick: (path: string) => void;
  readonly onTurn: () => void;
  readonly onLeave: () => void;
}

function Ways({
  ways,
  onPick,
}: {
  readonly ways: PathAnswer["paths"];
  readonly onPick: (path: string) => void;
}) {
  return (
    <>
      {ways.map(({ nodes }, at) => (
        <ol class="way" key={nodes.join(" ")} aria-label={`Path ${at + 1}`}>
          {nodes.map((path) => (
            <li key={path}>
              <FileButton path={path} onPick={onPick} />
            </li>
          ))}
        </ol>
      ))}
    </>
  );
}

/** The path from one file to another, from `graph.path`. */
export function PathDetails({ from, to, answer, onPick, onTurn, onLeave }: Props) {
  return (
    <ToolSection title={`Path to ${to}`} call={pathBetween(from, to)} answer={answer}>
      {(path) => (
        <>
          {path.connected ? (
            <p class="small">
              {path.shortestPath === 1 ? "One step" : `${path.shortestPath ?? 0} steps`} by imports.
            </p>
          ) : (
            <p class="small">
              No imports lead from <code>{from}</code> to it.
            </p>
          )}
          <Ways ways={path.paths} onPick={onPick} />
          <Known completeness={path.completeness} why={path.why} />
          <p class="row">
            <button type="button" class="button quiet" onClick={onTurn}>
              Reverse direction
            </button>
            <button type="button" class="button quiet" onClick={onLeave}>
              Close the path
            </button>
          </p>
        </>
      )}
    </ToolSection>
  );
}
