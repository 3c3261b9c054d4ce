export { cardYaml } from "./card-yaml.ts";
export { cardRecords, cardsModule } from "./cards-module.ts";
export type { CardRecords } from "./cards-module.ts";
export { loadCards } from "./load-cards.ts";
export type { LoadCardsOptions, LoadedCards } from "./load-cards.ts";
