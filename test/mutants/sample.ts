/** Code for mutants.test.ts to change. Its own tests leave a gap: none of them is at the limit. */
export function shippingCost(total: number): number {
  if (total >= 50) return 0;
  return 5;
}
