import type { GraphPicture } from "@waybill/server";
import { useMemo, useRef, useState } from "preact/hooks";
import { place, setQuery } from "../router/router.ts";
import { isDark } from "../theme/theme.ts";
import { getAsked, findHide } from "./graph-query.ts";
import { Canvas } from "./canvas.tsx";
import { FileDetails } from "./file-details.tsx";
import type { FileActions } from "./file-details.tsx";
import { FileFinder } from "./file-finder.tsx";
import { getLayout } from "./layout.ts";
import { Legend, MarkSwitches } from "./legend.tsx";
import { getCount, getLinks } from "./links.ts";
import { getLook } from "./picture-style.ts";
import { Overview } from "./overview.tsx";
import { readPalette } from "./read-palette.ts";
import type { Scene } from "./scene.ts";
import { getStatus } from "./status.ts";
import { pathBetween } from "./tools.ts";
import type { PathAnswer } from "./tools.ts";
import { useTool } from "./use-tool.ts";

interface Props {
  readonly picture: GraphPicture;
  /** Increases each time the code base is read, so that tools are called again. */
  readonly version: number;
  readonly onReadAgain: () => void;
}

/** Values that are computed once for each picture. */
function useIndex(picture: GraphPicture) {
  return useMemo(() => {
    const links = getLinks(picture);
    const layout = getLayout(picture.files, (file) => getCount(links.in, file));
    return { links, layout, indexOf: new Map(picture.files.map((path, file) => [path, file])) };
  }, [picture]);
}

/** The paths as files of the picture. Paths through a file that is not shown are left out. */
function waysIn(
  paths: readonly { readonly nodes: readonly string[] }[],
  indexOf: ReadonlyMap<string, number>,
): number[][] {
  return paths
    .map(({ nodes }) => nodes.flatMap((path) => indexOf.get(path) ?? []))
    .filter((way, at) => way.length === paths[at]!.nodes.length);
}

function setDiffImpact(isOn: boolean): void {
  setQuery({ impact: isOn ? "diff" : undefined, file: undefined, to: undefined, layer: undefined });
}

/** The picture. Beside it are the same data as lists, and the tools' answers. */
export function Board({ picture, version, onReadAgain }: Props) {
  const { links, layout, indexOf } = useIndex(picture);
  const { query } = place.value;
  const dark = isDark();
  const asked = useMemo(() => getAsked(query, picture, indexOf), [query, picture, indexOf]);
  const [isChoosing, setChoosing] = useState(false);
  const scene = useRef<Scene | null>(null);
  const { selected, to } = asked;
  const nameOf = (file: number | undefined): string | undefined => picture.files[file ?? -1];

  const [from, end] = [nameOf(selected), nameOf(to)];
  const wayCall = from === undefined || end === undefined ? undefined : pathBetween(from, end);
  const way = useTool<PathAnswer>(wayCall, version);
  const ways = useMemo(
    () => (way.state === "there" ? waysIn(way.data.paths, indexOf) : undefined),
    [way, indexOf],
  );
  const shown = useMemo(
    () => ({
      look: getLook(picture, links, { ...asked, ways }, asked.marks),
      palette: readPalette(),
      selected,
    }),
    [picture, links, asked, ways, dark],
  );

  const select = (path: string | undefined): void => {
    setChoosing(false);
    setQuery({ file: path, to: undefined, impact: undefined, layer: undefined });
  };
  const setTo = (path: string | undefined): void => {
    setChoosing(false);
    setQuery({ to: path, impact: undefined });
  };
  const goTo = (path: string): void => {
    select(path);
    scene.current?.goTo(indexOf.get(path)!);
  };
  const pick = (file: number | undefined): void => {
    if (isChoosing && file !== undefined && file !== selected) setTo(nameOf(file));
    else select(nameOf(file));
  };
  const actions: FileActions = {
    pick: goTo,
    leave: () => select(undefined),
    setImpact: (isOn) => setQuery({ impact: isOn ? "file" : undefined, to: undefined }),
    setTo,
    turn: () => setQuery({ file: end, to: from }),
    choosePathEnd: () => setChoosing(!isChoosing),
  };
  const status = getStatus(picture, asked, shown.look);
  return (
    <div class="graph-board">
      <header class="graph-head">
        <h1>Code graph</h1>
        <p class="small soft" role="status">
          {status}
        </p>
        <button type="button" class="button quiet" onClick={onReadAgain}>
          Read again
        </button>
      </header>
      <Canvas
        picture={picture}
        layout={layout}
        shown={shown}
        scene={scene}
        label={`The files of ${picture.root} as a picture. Arrow keys move it, plus and minus zoom, 0 shows all. The lists beside it have the same content.`}
        onPick={pick}
      />
      <aside class="graph-panel" aria-label="Files and answers">
        <FileFinder files={picture.files} label="Find a file" onPick={goTo} />
        {selected !== undefined && (
          <FileDetails
            picture={picture}
            links={links}
            file={selected}
            to={to}
            hasImpact={asked.impact === "file"}
            isChoosing={isChoosing}
            version={version}
            way={way}
            actions={actions}
          />
        )}
        <MarkSwitches
          picture={picture}
          marks={asked.marks}
          onChange={(marks) => setQuery({ hide: findHide(marks) })}
        />
        <Legend
          picture={picture}
          layer={asked.layer}
          onPick={(layer) =>
            setQuery({
              layer: picture.layers[layer ?? -1],
              file: undefined,
              to: undefined,
              impact: undefined,
            })
          }
        />
        {selected === undefined && (
          <Overview
            picture={picture}
            hasDiffImpact={asked.impact === "diff"}
            version={version}
            onPick={goTo}
            onDiffImpact={setDiffImpact}
          />
        )}
        {picture.notes.map((note) => (
          <p class="small soft" key={note}>
            {note}
          </p>
        ))}
      </aside>
    </div>
  );
}
