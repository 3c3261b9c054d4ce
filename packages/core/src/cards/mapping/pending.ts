/**
 * A value that only a lookup or an earlier step can provide. A dry run puts it in place of the
 * value; everything computed from it is pending too. As JSON it is `{"$pending": "…"}`.
 */
export class Pending {
  readonly $pending: string;

  constructor(expression: string) {
    this.$pending = expression;
  }
}
