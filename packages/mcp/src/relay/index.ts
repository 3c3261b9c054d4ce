export { cleanQuestion } from "./clean-question.ts";
export type { McpOffers, OfferList } from "./offers.ts";
export { RelayDesk } from "./relay-desk.ts";
export { currentTalk, talkingTo } from "./talk.ts";
export type { RelayedProgress, RelayedQuestion, Talk } from "./talk.ts";
