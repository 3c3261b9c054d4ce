// Loaded before a measured program. Writes the resource usage of the process to the file in
// BENCH_USAGE.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const file = process.env.BENCH_USAGE;
  if (file === undefined) return;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1_000;
  writeFileSync(file, JSON.stringify({ mb: maxRSS / 1_024, cpuMs }));
});
