// Loaded before a program that is measured: writes what its process used to the file in BENCH_USAGE.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const file = process.env.BENCH_USAGE;
  if (file === undefined) return;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1_000;
  writeFileSync(file, JSON.stringify({ mb: maxRSS / 1_024, cpuMs }));
});
