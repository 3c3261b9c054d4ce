import type { GraphPicture } from "@waybill/server";
import { useRef, useState } from "preact/hooks";
import { Refused, ask } from "../api/ask.ts";
import { comebacks } from "../api/connection.ts";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { Board } from "./board.tsx";
import { useAnswer } from "./use-answer.ts";

const NOT_THERE = 404;

/** The graph of a repository's files. */
export default function GraphView() {
  const [readings, setReadings] = useState(0);
  const version = readings + comebacks.value;
  const answer = useAnswer(String(version), (signal) =>
    ask<GraphPicture>("/v1/inspect/graph", { signal }),
  );
  // While the tree is read again, what was last known stays on the screen.
  const last = useRef<GraphPicture | undefined>(undefined);
  if (answer.state === "there") last.current = answer.value;
  const picture = last.current;
  if (picture !== undefined && picture.files.length > 0) {
    return (
      <Board picture={picture} version={version} onReadAgain={() => setReadings(readings + 1)} />
    );
  }
  if (answer.state === "asking") return <Loading what="the files and their imports" />;
  if (answer.state === "there") {
    return (
      <Empty title="There are no source files here">
        Start <code>waybill inspect --root DIR</code> with the folder of a repository.
      </Empty>
    );
  }
  const { thrown } = answer;
  if (thrown instanceof Refused && thrown.status === NOT_THERE) {
    return (
      <Empty title="This page was opened without a code base">
        Start <code>waybill inspect --root DIR</code> with the folder of a repository.
      </Empty>
    );
  }
  return <Failed title="The code graph could not be read" thrown={thrown} />;
}
