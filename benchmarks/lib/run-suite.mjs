// @ts-check
// Runs one suite in this process and sends its report to the parent.

/** @typedef {import("./report.mjs").Suite} Suite */

const [file, isQuick, ...repos] = process.argv.slice(2);
const { title, run } = /** @type {Suite} */ (await import(file));
const { rows, notes = [] } = await run({ quick: isQuick === "true", repos });
// A suite may leave timers or connections open, which must not keep the process alive.
process.send?.({ title, rows, notes }, () => process.exit());
