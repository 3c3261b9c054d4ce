/** A problem at a JSON pointer of a card. */
export interface Finding {
  readonly pointer: string;
  readonly message: string;
}
