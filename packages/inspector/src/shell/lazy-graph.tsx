import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { comebacks } from "../api/connection.ts";
import { Failed, Loading } from "../components/states.tsx";

type Loaded = ComponentType | Error | undefined;

/**
 * Loads the graph view on first use, because its libraries are as large as the rest of the page.
 */
export function LazyGraph() {
  const [View, setView] = useState<{ readonly loaded: Loaded }>({ loaded: undefined });
  const tries = comebacks.value;
  useEffect(() => {
    import("../graph/graph-view.tsx").then(
      (module) => setView({ loaded: module.default }),
      (thrown: unknown) => setView({ loaded: new Error("not loaded", { cause: thrown }) }),
    );
  }, [tries]);
  const { loaded: Graph } = View;
  if (Graph === undefined) return <Loading what="the code graph" />;
  if (Graph instanceof Error) return <Failed title="The code graph could not be loaded" />;
  return <Graph />;
}
