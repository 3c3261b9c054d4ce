/** Code that mutants.test.ts changes. Its own tests have a gap: none tests the limit itself. */
export function shippingCost(total: number): number {
  if (total >= 50) return 0;
  return 5;
}
