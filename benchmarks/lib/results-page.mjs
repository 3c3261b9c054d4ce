// @ts-check

/**
 * A row of a suite as it stands on the page; `isPart` where it continues from the one before.
 * @typedef {{ name: string, isPart: boolean, measured: string, ratio: string, target: string, met:
 * string }} Shown
 * @typedef {{ suite: string, title: string, rows: Shown[] }} Section
 */

const COLUMNS = /** @type {const} */ ({
  name: "",
  measured: "measured",
  ratio: "of baseline",
  target: "target",
  met: "met",
});

/** @param {string} line */
function getCells(line) {
  const cells = line.split(/(?<!\\)\|/u).slice(1, -1);
  return cells.map((cell) => cell.trim());
}

/**
 * The rows of a suite's table; empty for other tables.
 * @param {string[]} lines
 * @returns {Shown[]}
 */
function getRows([first = "", , ...rest]) {
  const header = getCells(first);
  if (!header.includes(COLUMNS.measured)) return [];
  return rest.map((line) => {
    const cells = getCells(line);
    /** @param {string} title */
    const at = (title) => cells[header.indexOf(title)] ?? "";
    return {
      name: at(COLUMNS.name),
      isPart: at(COLUMNS.name).startsWith("…"),
      measured: at(COLUMNS.measured),
      ratio: at(COLUMNS.ratio),
      target: at(COLUMNS.target),
      met: at(COLUMNS.met),
    };
  });
}

/**
 * Adds the previous row's name to a row that continues it, such as “… ratio”.
 * @param {Shown[]} rows
 */
function withWholeNames(rows) {
  let last = "";
  return rows.map((row) => {
    if (!row.isPart) last = row.name;
    return row.isPart ? { ...row, name: `${last} ${row.name}` } : row;
  });
}

/**
 * The sections of the suites in RESULTS.md.
 * @param {string} page
 * @returns {Section[]}
 */
export function getSections(page) {
  const found = page.matchAll(/<!-- bench:([\w-]+) -->\n(.*?)<!-- \/bench:\1 -->/gsu);
  return [...found].map(([, suite = "", text = ""]) => {
    const tables = text.split(/\n\n+/u).filter((part) => part.startsWith("|"));
    return {
      suite,
      title: /^## (.*)$/mu.exec(text)?.[1] ?? suite,
      rows: withWholeNames(tables.flatMap((part) => getRows(part.trim().split("\n")))),
    };
  });
}
