/**
 * A value that only a lookup or an earlier step can tell. A dry run puts it where the value will
 * be; whatever is computed of it is as unknown as it is. As JSON it is `{"$pending": "…"}`.
 */
export class Pending {
  readonly $pending: string;

  constructor(expression: string) {
    this.$pending = expression;
  }
}
