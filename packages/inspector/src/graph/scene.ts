import type { GraphPicture } from "@waybill/server";
import { DirectedGraph } from "graphology";
import { Sigma } from "sigma";
import { EdgeArrowProgram, EdgeLineProgram, NodePointProgram } from "sigma/rendering";
import type { CameraState, EdgeDisplayData, NodeDisplayData } from "sigma/types";
import { layerColour } from "./colours.ts";
import type { Palette } from "./colours.ts";
import { drawHover } from "./hover.ts";
import { drawFolders, drawMarks } from "./draw-layers.ts";
import type { Drawn } from "./draw-layers.ts";
import type { Layout } from "./layout.ts";
import { LINE } from "./picture-style.ts";
import type { Line, Look } from "./picture-style.ts";

export interface SceneEvents {
  /** Called when the user clicks a file; with undefined for a click beside all files. */
  pick(file: number | undefined): void;
  /** Called when the browser stops drawing, because it lost the WebGL context. */
  lost(): void;
}

/** The current view. */
export interface Shown {
  readonly look: Look;
  readonly palette: Palette;
  readonly selected: number | undefined;
}

/**
 * With more lines than this, drawing takes longer than a frame, so lines are hidden while the
 * picture moves.
 */
const MANY_LINES = 4_000;
/** Imports are drawn as arrows up to this number, and as thin lines above it. */
const MANY_ARROWS = 250;
const SIZE = 1_000;
const MOVE_MS = 250;
const CLOSE_UP = 14;

/** Whether this browser supports WebGL. */
export function hasWebGl(): boolean {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

function getGraph({ files, imports }: GraphPicture, layout: Layout): DirectedGraph {
  const graph = new DirectedGraph();
  for (const [file, path] of files.entries()) {
    const label = path.slice(path.lastIndexOf("/") + 1);
    const place = { x: layout.x[file]!, y: layout.y[file]!, size: layout.r[file]! };
    graph.addNode(String(file), { ...place, label });
  }
  for (let at = 0; at < imports.length; at += 2) {
    graph.addEdgeWithKey(String(at / 2), String(imports[at]!), String(imports[at + 1]!));
  }
  return graph;
}

/** The picture on the screen and its camera. */
export class Scene {
  readonly #picture: GraphPicture;
  readonly #layout: Layout;
  readonly #sigma: Sigma;
  readonly #folders: HTMLCanvasElement;
  readonly #marks: HTMLCanvasElement;
  readonly #resizes: ResizeObserver;
  #shown: Shown;

  constructor(
    container: HTMLElement,
    picture: GraphPicture,
    layout: Layout,
    shown: Shown,
    events: SceneEvents,
  ) {
    this.#picture = picture;
    this.#layout = layout;
    this.#shown = shown;
    this.#sigma = this.#start(container);
    this.#folders = this.#sigma.createCanvas("folders", { beforeLayer: "edges" });
    this.#marks = this.#sigma.createCanvas("marks", { afterLayer: "nodes" });
    this.#sigma.on("afterRender", () => this.#drawBeside());
    this.#sigma.on("clickNode", ({ node }) => events.pick(Number(node)));
    this.#sigma.on("clickStage", () => events.pick(undefined));
    for (const canvas of Object.values(this.#sigma.getCanvases())) {
      canvas.addEventListener("webglcontextlost", () => events.lost());
    }
    this.#resizes = new ResizeObserver(() => this.#sigma.resize().scheduleRender());
    this.#resizes.observe(container);
    this.#sigma.resize(true);
    this.#sigma.refresh();
  }

  show(shown: Shown): void {
    this.#shown = shown;
    this.#sigma.setSetting("labelColor", { color: shown.palette.ink });
    this.#sigma.scheduleRefresh();
  }

  /** Moves the camera to a file, and zooms in if necessary. */
  goTo(file: number): void {
    const place = this.#sigma.getNodeDisplayData(String(file));
    if (place === undefined) return;
    const size = this.#sigma.scaleSize(this.#layout.r[file]);
    const { ratio } = this.#sigma.getCamera();
    this.#move({ x: place.x, y: place.y, ratio: Math.min(ratio, (ratio * size) / CLOSE_UP) });
  }

  /** Takes over the camera of another scene. */
  lookAt(state: CameraState): void {
    this.#sigma.getCamera().setState(state);
  }

  showAll(): void {
    this.#move({ x: 0.5, y: 0.5, ratio: 1 });
  }

  zoom(factor: number): void {
    this.#move({ ratio: this.#sigma.getCamera().ratio / factor });
  }

  /** Moves by fractions of the visible area. */
  moveBy(across: number, down: number): void {
    const { x, y, ratio } = this.#sigma.getCamera();
    this.#move({ x: x + across * ratio, y: y - down * ratio });
  }

  /** Ends the scene and returns the camera for the next one. */
  end(): CameraState {
    const state = this.#sigma.getCamera().getState();
    this.#resizes.disconnect();
    this.#sigma.kill();
    return state;
  }

  #start(container: HTMLElement): Sigma {
    const { imports } = this.#picture;
    const sigma = new Sigma(getGraph(this.#picture, this.#layout), container, {
      allowInvalidContainer: true,
      itemSizesReference: "positions",
      zoomToSizeRatioFunction: (ratio) => ratio,
      minCameraRatio: 0.002,
      maxCameraRatio: 2,
      stagePadding: 8,
      zIndex: true,
      hideEdgesOnMove: imports.length / 2 > MANY_LINES,
      defaultEdgeType: "thin",
      nodeProgramClasses: { circle: NodePointProgram },
      edgeProgramClasses: { thin: EdgeLineProgram, arrow: EdgeArrowProgram },
      minEdgeThickness: 2.2,
      labelFont: "system-ui, sans-serif",
      labelSize: 12,
      labelColor: { color: this.#shown.palette.ink },
      labelRenderedSizeThreshold: 9,
      labelDensity: 0.6,
      nodeReducer: (node, data) => ({ ...data, ...this.#nodeLook(Number(node)) }),
      edgeReducer: (edge) => this.#edgeLook(Number(edge)),
      defaultDrawNodeHover: (context, data) =>
        drawHover(context, data, this.#picture.files[Number(data["key"])]!, this.#shown.palette),
    });
    return sigma.setCustomBBox({ x: [0, SIZE], y: [0, SIZE] });
  }

  #nodeLook(file: number): Partial<NodeDisplayData> {
    const { look, palette } = this.#shown;
    if (look.lit !== undefined && look.lit[file] === 0) {
      return { color: palette.dimmed, label: "", zIndex: 0 };
    }
    const color = layerColour(palette, this.#picture.layer_of[file]!);
    return { color, zIndex: 1, forceLabel: look.named.includes(file) };
  }

  /** A few imports are drawn with arrows. */
  get #quietLine(): Partial<EdgeDisplayData> {
    const { palette } = this.#shown;
    const isFew = this.#picture.imports.length / 2 <= MANY_ARROWS;
    return isFew
      ? { type: "arrow", color: palette.folder, size: 0.1, zIndex: 0 }
      : { type: "thin", color: palette.line, size: 0.1, zIndex: 0 };
  }

  #edgeLook(line: number): Partial<EdgeDisplayData> {
    const { look, palette } = this.#shown;
    const kind = look.lines[line] as Line;
    if (kind === LINE.hidden) return { hidden: true };
    if (kind === LINE.quiet) return this.#quietLine;
    if (kind === LINE.lit && look.litLines > MANY_ARROWS) {
      return { type: "thin", color: palette.manyLitLine, size: 0.1, zIndex: kind };
    }
    const colours = {
      [LINE.lit]: palette.litLine,
      [LINE.cycle]: palette.cycle,
      [LINE.violation]: palette.violation,
    };
    return { type: "arrow", color: colours[kind], size: 0.1, zIndex: kind };
  }

  #drawBeside(): void {
    const drawn: Drawn = { layout: this.#layout, ...this.#shown };
    drawFolders(this.#folders, this.#sigma, drawn);
    drawMarks(this.#marks, this.#sigma, drawn);
  }

  /** Moves without animation for users who prefer reduced motion. */
  #move(to: { readonly x?: number; readonly y?: number; readonly ratio?: number }): void {
    const camera = this.#sigma.getCamera();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) camera.setState(to);
    else void camera.animate(to, { duration: MOVE_MS });
  }
}
