import type { GraphPicture } from "@waybill/server";
import type { ComponentChildren } from "preact";
import { formatCount } from "../components/format.ts";
import { FileButton, FileList } from "./file-list.tsx";
import { ImpactDetails } from "./impact-details.tsx";

interface Props {
  readonly picture: GraphPicture;
  readonly hasDiffImpact: boolean;
  readonly version: number;
  readonly onPick: (path: string) => void;
  readonly onDiffImpact: (isOn: boolean) => void;
}

const MOST_SHOWN = 50;

interface PartProps {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
}

function Part({ title, count, children }: PartProps) {
  return (
    <details class="part" open={count > 0 && count <= 5}>
      <summary>
        {title} <span class="soft">{formatCount(count)}</span>
      </summary>
      {count === 0 ? <p class="soft small">None</p> : children}
    </details>
  );
}

function Violations({ picture, onPick }: Pick<Props, "picture" | "onPick">) {
  const { files, violations } = picture;
  return (
    <ul class="violations">
      {violations.slice(0, MOST_SHOWN).map(({ from, to, rule, message }, at) => (
        <li key={at}>
          <FileButton path={files[from]!} onPick={onPick} />
          {to >= 0 && to !== from && (
            <span class="arrow">
              <span aria-label="to">→</span> <FileButton path={files[to]!} onPick={onPick} />
            </span>
          )}
          <p class="small soft">
            <strong>{rule}</strong>: {message}
          </p>
        </li>
      ))}
      <Rest of={violations.length} />
    </ul>
  );
}

function Rest({ of }: { readonly of: number }) {
  if (of <= MOST_SHOWN) return null;
  return <li class="soft small">and {formatCount(of - MOST_SHOWN)} more</li>;
}

function Cycles({ picture, onPick }: Pick<Props, "picture" | "onPick">) {
  const { files, cycles } = picture;
  return (
    <ol class="cycles">
      {cycles.slice(0, MOST_SHOWN).map((cycle) => (
        <li key={cycle.join(" ")}>
          <p class="small soft">{cycle.length} files import each other in a cycle</p>
          <FileList
            label="Files of a cycle"
            paths={cycle.map((file) => files[file]!)}
            onPick={onPick}
          />
        </li>
      ))}
      <Rest of={cycles.length} />
    </ol>
  );
}

function Changed({ picture, hasDiffImpact, version, onPick, onDiffImpact }: Props) {
  return (
    <>
      <p>
        <button
          type="button"
          class="button"
          aria-pressed={hasDiffImpact}
          onClick={() => onDiffImpact(!hasDiffImpact)}
        >
          Highlight the impact of all of them
        </button>
      </p>
      {hasDiffImpact && <ImpactDetails target={undefined} version={version} onPick={onPick} />}
      <FileList
        label="Changed files"
        paths={picture.changed.map((file) => picture.files[file]!)}
        onPick={onPick}
      />
    </>
  );
}

/** Everything marked in the picture, as lists. */
export function Overview(props: Props) {
  const { picture, onPick } = props;
  const { files, violations, cycles, hotspots, changed } = picture;
  return (
    <section class="overview" aria-label="Marks">
      <Part title="Violations" count={violations.length}>
        <Violations picture={picture} onPick={onPick} />
      </Part>
      <Part title="Cycles" count={cycles.length}>
        <Cycles picture={picture} onPick={onPick} />
      </Part>
      <Part title="Changed since the last commit" count={changed.length}>
        <Changed {...props} />
      </Part>
      <Part title="Hotspots" count={hotspots.length}>
        <FileList
          label="Hotspots"
          paths={hotspots.map(({ file }) => files[file]!)}
          onPick={onPick}
        />
      </Part>
    </section>
  );
}
