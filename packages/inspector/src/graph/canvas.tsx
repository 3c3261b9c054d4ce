import type { GraphPicture } from "@waybill/server";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Layout } from "./layout.ts";
import { Scene, hasWebGl } from "./scene.ts";
import type { Shown } from "./scene.ts";

interface Props {
  readonly picture: GraphPicture;
  readonly layout: Layout;
  readonly shown: Shown;
  /** A handle through which other components move the picture. */
  readonly scene: RefObject<Scene | null>;
  readonly label: string;
  readonly onPick: (file: number | undefined) => void;
}

const STEP = 0.15;
const ZOOM = 1.5;

/** The keyboard shortcuts of the picture. */
const KEYS: Readonly<Record<string, (scene: Scene) => void>> = {
  ArrowLeft: (scene) => scene.moveBy(-STEP, 0),
  ArrowRight: (scene) => scene.moveBy(STEP, 0),
  ArrowUp: (scene) => scene.moveBy(0, -STEP),
  ArrowDown: (scene) => scene.moveBy(0, STEP),
  "+": (scene) => scene.zoom(ZOOM),
  "=": (scene) => scene.zoom(ZOOM),
  "-": (scene) => scene.zoom(1 / ZOOM),
  "0": (scene) => scene.showAll(),
};

type Trouble = "no-webgl" | "lost";

const TROUBLES: Readonly<Record<Trouble, string>> = {
  "no-webgl":
    "This browser does not support WebGL, so there is no picture. The lists have the same content, and search and all questions work.",
  lost: "The browser stopped drawing the picture.",
};

/** The picture itself. The lists beside it contain the same data. */
export function Canvas({ picture, layout, shown, scene, label, onPick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const camera = useRef<ReturnType<Scene["end"]> | undefined>(undefined);
  const pick = useRef(onPick);
  pick.current = onPick;
  const [trouble, setTrouble] = useState<Trouble>();
  const [tries, setTries] = useState(0);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (place.current === null) return undefined;
    if (!hasWebGl()) {
      setTrouble("no-webgl");
      return undefined;
    }
    setTrouble(undefined);
    const made = new Scene(place.current, picture, layout, shown, {
      pick: (file) => {
        // Moves the focus to the picture, so that its keyboard shortcuts work.
        place.current?.focus({ preventScroll: true });
        pick.current(file);
      },
      lost: () => setTrouble("lost"),
    });
    if (camera.current !== undefined) made.lookAt(camera.current);
    scene.current = made;
    setDrawn(true);
    return () => {
      setDrawn(false);
      scene.current = null;
      camera.current = made.end();
    };
  }, [picture, layout, tries]);
  useEffect(() => scene.current?.show(shown), [shown]);
  const press = (event: KeyboardEvent): void => {
    const { current } = scene;
    if (event.key === "Escape") onPick(undefined);
    const move = KEYS[event.key];
    if (move === undefined || current === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(current);
  };
  return (
    <div class="graph-canvas">
      <div
        ref={place}
        class="graph-place"
        role="application"
        tabIndex={0}
        aria-label={label}
        aria-busy={!isDrawn}
        hidden={trouble !== undefined}
        onKeyDown={press}
      />
      {trouble === undefined ? (
        <div class="graph-zoom">
          <button
            type="button"
            class="button"
            aria-label="Zoom in"
            onClick={() => scene.current?.zoom(ZOOM)}
          >
            +
          </button>
          <button
            type="button"
            class="button"
            aria-label="Zoom out"
            onClick={() => scene.current?.zoom(1 / ZOOM)}
          >
            −
          </button>
          <button type="button" class="button" onClick={() => scene.current?.showAll()}>
            Show all
          </button>
        </div>
      ) : (
        <div class="state" role="alert">
          <strong>No picture</strong>
          <p>{TROUBLES[trouble]}</p>
          {trouble === "lost" && (
            <button type="button" class="button" onClick={() => setTries(tries + 1)}>
              Draw it again
            </button>
          )}
        </div>
      )}
    </div>
  );
}
