import { networkInterfaces } from "node:os";

type Env = Readonly<Record<string, string | undefined>>;

/** A proxy on this machine may reach the network even if the machine has no network interface. */
const PROXIES = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/**
 * Whether no request can leave this machine, because it is configured as offline or has no network
 * interface.
 */
export function isOffline(env: Env): boolean {
  if (env["WAYBILL_OFFLINE"] === "1") return true;
  if (PROXIES.some((name) => env[name] !== undefined)) return false;
  const all = Object.values(networkInterfaces()).flat();
  return all.every((one) => one?.internal === true);
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/u.test(host);
}
