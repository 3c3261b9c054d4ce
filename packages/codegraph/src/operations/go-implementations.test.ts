import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

const SHAPES = `package shapes

type Sized interface {
	Area() int
}

type Named interface {
	Area() int
	Name() string
}

type Square struct{}

func (s Square) Area() int { return 4 }
`;

it("graph_implementations lists the types that implement a Go interface, without larger interfaces", async () => {
  const root = temporaryTree({ "go.mod": "module example.com/shapes\n", "shapes.go": SHAPES });
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const { data } = await tools.call("implementations", { symbol: "Sized" });
  const { implementations } = data.result as { implementations: { name: string }[] };
  expect(implementations.map(({ name }) => name)).toEqual(["Square"]);
});
