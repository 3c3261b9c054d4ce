import type { GraphPicture } from "@waybill/server";
import { formatCount } from "../components/format.ts";
import { layerVariable } from "./colours.ts";
import { MARKS } from "./picture-style.ts";
import type { Mark, Marks } from "./picture-style.ts";

const WORDS: Readonly<Record<Mark, string>> = {
  violations: "Violations",
  cycles: "Cycles",
  hotspots: "Hotspots",
  changed: "Changed",
  imports: "Imports",
};

function getCount(picture: GraphPicture, mark: Mark): number {
  return mark === "imports" ? picture.imports.length / 2 : picture[mark].length;
}

interface MarksProps {
  readonly picture: GraphPicture;
  readonly marks: Marks;
  readonly onChange: (marks: Marks) => void;
}

/** A switch for each mark. */
export function MarkSwitches({ picture, marks, onChange }: MarksProps) {
  return (
    <fieldset class="marks">
      <legend class="small soft">Marked in the picture</legend>
      {MARKS.map((mark) => (
        <label key={mark} class="mark">
          <input
            type="checkbox"
            checked={marks[mark]}
            onChange={({ currentTarget }) => onChange({ ...marks, [mark]: currentTarget.checked })}
          />
          <span class="mark-sign" data-mark={mark} aria-hidden="true" />
          {WORDS[mark]} <span class="soft">{formatCount(getCount(picture, mark))}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface LegendProps {
  readonly picture: GraphPicture;
  readonly layer: number | undefined;
  readonly onPick: (layer: number | undefined) => void;
}

/** The layers with their colours, lowest layer first. Selecting one highlights its files. */
export function Legend({ picture, layer, onPick }: LegendProps) {
  const counts = picture.layers.map(() => 0);
  for (const own of picture.layer_of) if (own >= 0) counts[own]! += 1;
  if (counts.length === 0) return null;
  return (
    <section class="facts-section">
      <h3>Layers</h3>
      <ul class="legend">
        {picture.layers.map((name, own) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={own === layer}
              onClick={() => onPick(own === layer ? undefined : own)}
            >
              <span
                class="swatch"
                aria-hidden="true"
                style={{ background: `var(${layerVariable(own)})` }}
              />
              <span>{name}</span> <span class="soft">{formatCount(counts[own])}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
