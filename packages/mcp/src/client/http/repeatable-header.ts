/** Marks a repeatable call for Waybill's own `fetch`, which removes the header. */
export const REPEATABLE_HEADER = "waybill-repeatable";
