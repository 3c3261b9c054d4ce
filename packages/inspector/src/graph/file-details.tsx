import type { GraphPicture } from "@waybill/server";
import { FileFinder } from "./file-finder.tsx";
import { FileList } from "./file-list.tsx";
import { ImpactDetails } from "./impact-details.tsx";
import { linked } from "./links.ts";
import type { Links } from "./links.ts";
import { PathDetails } from "./path-details.tsx";
import { ToolSection } from "./tool-answer.tsx";
import { getSymbols } from "./tools.ts";
import type { PathAnswer, SymbolItem, SymbolsAnswer } from "./tools.ts";
import { useTool } from "./use-tool.ts";
import type { ToolAnswer } from "./use-tool.ts";

export interface FileActions {
  readonly pick: (path: string) => void;
  readonly leave: () => void;
  readonly setImpact: (isOn: boolean) => void;
  readonly setTo: (path: string | undefined) => void;
  readonly turn: () => void;
  /** Starts the mode in which the next clicked file is the end of the path. */
  readonly choosePathEnd: () => void;
}

interface Props {
  readonly picture: GraphPicture;
  readonly links: Links;
  readonly file: number;
  readonly to: number | undefined;
  readonly hasImpact: boolean;
  readonly isChoosing: boolean;
  readonly version: number;
  readonly way: ToolAnswer<PathAnswer>;
  readonly actions: FileActions;
}

function Symbols({ path, version }: { readonly path: string; readonly version: number }) {
  const call = getSymbols(path);
  const answer = useTool<SymbolsAnswer>(call, version);
  return (
    <ToolSection title="Symbols" call={call} answer={answer}>
      {({ symbols }) =>
        symbols.length === 0 ? (
          <p class="soft small">None</p>
        ) : (
          <ul class="symbols" aria-label="Symbols">
            {symbols.map((symbol) => (
              <SymbolRow key={`${symbol.name} ${symbol.range.start}`} symbol={symbol} />
            ))}
          </ul>
        )
      }
    </ToolSection>
  );
}

function SymbolRow({ symbol }: { readonly symbol: SymbolItem }) {
  const [line] = symbol.range.start.split(":");
  return (
    <li>
      <span class="mono">{symbol.name}</span>{" "}
      <span class="soft small">
        {symbol.kind}, line {line}
        {symbol.children !== undefined && `, ${symbol.children.length} inside`}
      </span>
    </li>
  );
}

/** The problems and special properties of the file. */
function Standing({ picture, file }: Pick<Props, "picture" | "file">) {
  const broken = picture.violations.filter(({ from, to }) => from === file || to === file);
  const rank = picture.hotspots.findIndex((hotspot) => hotspot.file === file);
  const layer = picture.layers[picture.layer_of[file]!];
  return (
    <>
      <p class="row small">
        {layer !== undefined && <span class="tag">{layer}</span>}
        {rank >= 0 && <span class="tag">hotspot {rank + 1}</span>}
        {picture.changed.includes(file) && (
          <span class="tag" data-tone="accent">
            changed
          </span>
        )}
        {picture.cycles.some((cycle) => cycle.includes(file)) && (
          <span class="tag" data-tone="warn">
            in a cycle
          </span>
        )}
        {broken.length > 0 && (
          <span class="tag" data-tone="bad">
            breaks a rule
          </span>
        )}
      </p>
      {broken.map(({ from, to, rule, message }) => (
        <p class="notice small" key={`${rule} ${from} ${to}`}>
          <strong>{rule}</strong>: {message}
        </p>
      ))}
    </>
  );
}

/** One file: its imports, its dependents, its symbols, its impact and paths from it. */
export function FileDetails(props: Props) {
  const { picture, links, file, to, hasImpact, isChoosing, version, way, actions } = props;
  const path = picture.files[file]!;
  const names = (files: readonly number[]): string[] => files.map((each) => picture.files[each]!);
  const imports = names(linked(links.out, file));
  const dependents = names(linked(links.in, file));
  return (
    <section class="file-facts" aria-label={`The file ${path}`}>
      <header class="row">
        <h2 class="mono">{path}</h2>
        <button type="button" class="button quiet" onClick={actions.leave}>
          Close
        </button>
      </header>
      <Standing picture={picture} file={file} />
      <p class="row">
        <button
          type="button"
          class="button"
          aria-pressed={hasImpact}
          onClick={() => actions.setImpact(!hasImpact)}
        >
          Highlight its impact
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={isChoosing}
          onClick={actions.choosePathEnd}
        >
          Path to…
        </button>
      </p>
      {isChoosing && (
        <div class="panel">
          <p class="small soft">Click the other file in the picture, or find it here.</p>
          <FileFinder files={picture.files} label="Target of the path" onPick={actions.setTo} />
        </div>
      )}
      {to !== undefined && (
        <PathDetails
          from={path}
          to={picture.files[to]!}
          answer={way}
          onPick={actions.pick}
          onTurn={actions.turn}
          onLeave={() => actions.setTo(undefined)}
        />
      )}
      {hasImpact && <ImpactDetails target={path} version={version} onPick={actions.pick} />}
      <section class="facts-section">
        <h3>Imports ({imports.length})</h3>
        <FileList key={path} label="Imports" paths={imports} onPick={actions.pick} />
      </section>
      <section class="facts-section">
        <h3>Dependents ({dependents.length})</h3>
        <FileList key={path} label="Dependents" paths={dependents} onPick={actions.pick} />
      </section>
      <Symbols path={path} version={version} />
    </section>
  );
}
