/**
 * A value that a lookup or an earlier step will provide. A dry run uses it in place of the
 * value, and everything computed from it is pending too. As JSON it is `{"$pending": "…"}`.
 */
export class Pending {
  readonly $pending: string;

  constructor(expression: string) {
    this.$pending = expression;
  }
}
