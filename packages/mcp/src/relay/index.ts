export { cleanQuestion } from "./clean-question.ts";
export type { McpOffers, OfferList } from "./offers.ts";
export { RelayDesk } from "./relay-desk.ts";
export { currentTalk, talkingTo } from "./relayed-messages.ts";
export type { RelayedProgress, RelayedQuestion, Talk } from "./relayed-messages.ts";
