import { CallError } from "@waybill/core";

const ID = /^[\w-]+(?:\.[\w-]+)+$/;
const MAX_ID = 256;
const SERVICE = /^[A-Za-z0-9_-]{1,64}$/;

/** Every subject that a service is reached at. Ids of operations are subjects as they are. */
export class Subjects {
  readonly service: string;
  /** Where a request goes that no worker listens for by name: any worker says what it knows. */
  readonly any: string;
  /** Every worker answers with what it offers. */
  readonly describe: string;
  /** Every worker receives it; the one that serves the request acts. */
  readonly control: string;

  constructor(service: string) {
    if (!SERVICE.test(service)) {
      const message = `A service name consists of letters, digits, - and _, not ${JSON.stringify(service)}`;
      throw new CallError("VALIDATION_ERROR", message);
    }
    this.service = service;
    this.any = `${service}.any`;
    this.describe = `${service}.describe`;
    this.control = `${service}.control`;
  }

  /** Undefined for what cannot be an id: no worker listens for it by name. */
  operation(id: string): string | undefined {
    return id.length <= MAX_ID && ID.test(id) ? `${this.service}.op.${id}` : undefined;
  }

  /** One worker's own, below which each of its subscriptions has one. */
  controlOf(instance: string): string {
    return `${this.control}.${instance}`;
  }
}
