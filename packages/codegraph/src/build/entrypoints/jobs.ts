import type { CallSite } from "./call-site.ts";

export const JOB_CALLS = [
  "schedule",
  "scheduleJob",
  "process",
  "CronJob",
  "Worker",
  "Cron",
  "cron",
];

/** Scheduled jobs and queue workers. */
export function job(site: CallSite): void {
  const from = site.origin()?.specifier;
  if (from === undefined) return;
  const { name } = site;
  if (from === "node-cron" && name === "schedule") return scheduled(site, "node-cron", 1);
  if (from === "node-schedule" && name === "scheduleJob")
    return scheduled(site, "node-schedule", -1);
  if (from === "cron" && name === "CronJob") return scheduled(site, "cron", 1);
  if (from === "croner" && (name === "Cron" || name === "cron"))
    return scheduled(site, "croner", -1);
  if (from === "bullmq" && name === "Worker") return queue(site, "bullmq");
  if ((from === "bull" || from === "bee-queue") && name === "process") {
    site.register("job", site.text(0) ?? "(queue)", from, -1);
  }
}

function scheduled(site: CallSite, framework: string, handler: number): void {
  site.register("job", site.text(0) ?? "(schedule)", framework, handler);
}

function queue(site: CallSite, framework: string): void {
  site.register("job", site.text(0) ?? "(queue)", framework, 1);
}
