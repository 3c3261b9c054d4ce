/** The counters of one operation, as the services protocol reports them. */
export class EndpointStats {
  readonly id: string;
  readonly subject: string;
  requests = 0;
  errors = 0;
  lastError = "";
  /** Total processing time in milliseconds. */
  processing = 0;

  constructor(id: string, subject: string) {
    this.id = id;
    this.subject = subject;
  }

  ended(milliseconds: number, error: Error | undefined): void {
    this.requests += 1;
    this.processing += milliseconds;
    if (error === undefined) return;
    this.errors += 1;
    this.lastError = error.message;
  }
}
