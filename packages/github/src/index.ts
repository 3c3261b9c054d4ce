export { checkoutRepository } from "./pack/checkout.ts";
export type { CheckoutRepository } from "./pack/remote.ts";
export { findPlace } from "./pack/find-place.ts";
export { githubGate } from "./pack/gate.ts";
export type { PlaceOptions } from "./pack/find-place.ts";
export { NUMBERED_INPUTS } from "./pack/inputs.ts";
export type { GithubSurroundings } from "./pack/kit.ts";
export type { GithubPlace } from "./pack/place.ts";
export { githubSource } from "./pack/source.ts";
