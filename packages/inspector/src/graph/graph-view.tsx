import type { GraphPicture } from "@waybill/server";
import { useState } from "preact/hooks";
import { Refused } from "../api/ask.ts";
import { comebacks } from "../api/connection.ts";
import { Empty, Failed, Loading } from "../components/states.tsx";
import { useAnswer } from "../components/use-answer.ts";
import { Board } from "./board.tsx";

const NOT_THERE = 404;

/** The view of the import graph of a repository. */
export default function GraphView() {
  const [readings, setReadings] = useState(0);
  const { value, thrown } = useAnswer<GraphPicture>("/v1/inspect/graph", { turn: readings });
  const version = readings + comebacks.value;
  if (value !== undefined && value.files.length > 0) {
    const readAgain = (): void => setReadings(readings + 1);
    return <Board picture={value} version={version} onReadAgain={readAgain} />;
  }
  const isAbsent = thrown instanceof Refused && thrown.status === NOT_THERE;
  if (value !== undefined || isAbsent) {
    return (
      <Empty title={isAbsent ? "No code base is open" : "There are no source files in this folder"}>
        Start <code>waybill inspect --root DIR</code> with the folder of a repository.
      </Empty>
    );
  }
  if (thrown === undefined) return <Loading what="the files and their imports" />;
  return <Failed title="The code graph could not be read" thrown={thrown} />;
}
