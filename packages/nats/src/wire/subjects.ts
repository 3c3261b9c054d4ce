import { CallError } from "@waybill/core";

const ID = /^[\w-]+(?:\.[\w-]+)+$/;
const MAX_ID = 256;
const SERVICE = /^[A-Za-z0-9_-]{1,64}$/;

/** All subjects of a service. Ids of operations are valid subjects. */
export class Subjects {
  readonly service: string;
  /** The subject for operations that have no subject of their own. Any worker answers. */
  readonly any: string;
  /** The subject on which every worker answers with its operations. */
  readonly describe: string;
  /** The subject for messages about running requests. Every worker receives them. */
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

  /**
   * The subject of an operation. Undefined for text that cannot be an id, because no worker
   * listens for it.
   */
  operation(id: string): string | undefined {
    return id.length <= MAX_ID && ID.test(id) ? `${this.service}.op.${id}` : undefined;
  }

  /** The prefix of the subjects of one worker. Each of its subscriptions has a subject below it. */
  controlOf(instance: string): string {
    return `${this.control}.${instance}`;
  }
}
