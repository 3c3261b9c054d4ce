/** Marks a call that may be sent twice, on its way to our own `fetch`; it goes no further. */
export const REPEATABLE_HEADER = "waybill-repeatable";
