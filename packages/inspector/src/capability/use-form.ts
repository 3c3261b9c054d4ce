import type { CallDetail } from "@waybill/server";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { alternativesIn, formFields } from "./form-fields.ts";
import type { Field } from "./form-fields.ts";
import { readForm, readWhole, valuesFrom } from "./form-values.ts";
import type { FormValues, ReadForm } from "./form-values.ts";

/** The whole input as one JSON field, if it cannot be split into fields. */
const WHOLE: readonly Field[] = [{ name: "params", kind: "json", required: false, type: "any" }];

export interface Form extends ReadForm {
  readonly fields: readonly Field[];
  /** Names of fields of which one is required. */
  readonly alternatives: readonly string[];
  readonly values: FormValues;
  readonly isWhole: boolean;
  /** Whether the form can also be shown as fields. */
  readonly hasFields: boolean;
  readonly set: (name: string, value: string) => void;
  readonly fill: (params: unknown) => void;
  /**
   * Switches between separate fields and one JSON text. Does nothing if that would lose a value.
   */
  readonly toggle: () => void;
}

/** Inputs that the next form starts with, because they usually stay the same. */
const REMEMBERED: readonly string[] = ["owner", "repo"];

function remember(name: string, value: string): void {
  if (REMEMBERED.includes(name)) sessionStorage.setItem(`waybill-input-${name}`, value);
}

function remembered(fields: readonly Field[]): FormValues {
  const known = fields.map(({ name }) => name).filter((name) => REMEMBERED.includes(name));
  return Object.fromEntries(
    known.map((name) => [name, sessionStorage.getItem(`waybill-input-${name}`) ?? ""]),
  );
}

/** The state of the form. */
export function useForm(schema: unknown): Form {
  const byField = useMemo(() => formFields(schema), [schema]);
  const [isWhole, setWhole] = useState(byField === undefined);
  const [values, setValues] = useState<FormValues>(() => remembered(byField ?? []));
  const fields = isWhole || byField === undefined ? WHOLE : byField;
  const read = useMemo(
    () => (fields === WHOLE ? readWhole(values["params"] ?? "") : readForm(fields, values)),
    [fields, values],
  );
  const fillWhole = (params: unknown): void => {
    setWhole(true);
    setValues({ params: JSON.stringify(params, null, 2) });
  };
  const fill = (params: unknown): void => {
    const filled = valuesFrom(byField ?? [], params);
    if (byField === undefined || filled.lost.length > 0) return fillWhole(params);
    setWhole(false);
    return setValues(filled.values);
  };
  const wouldLose = [...read.problems.keys()].some((name) => (values[name] ?? "") !== "");
  return {
    ...read,
    fields,
    alternatives: isWhole ? [] : alternativesIn(schema),
    values,
    isWhole,
    hasFields: byField !== undefined,
    set: (name, value) => {
      remember(name, value);
      setValues({ ...values, [name]: value });
    },
    fill,
    toggle: () => {
      if (!wouldLose) (isWhole ? fill : fillWhole)(read.params);
    },
  };
}

/** `?from=<request id>` fills the form with the input of an earlier call. */
export function useParamsOfCall(requestId: string | null, fill: (params: unknown) => void): void {
  useEffect(() => {
    if (requestId === null) return undefined;
    const end = new AbortController();
    const path = `/v1/inspect/calls/${encodeURIComponent(requestId)}`;
    ask<CallDetail>(path, { signal: end.signal }).then(
      ({ params, params_size }) => params_size === undefined && fill(params),
      // If the call no longer exists, the form stays empty.
      () => undefined,
    );
    return () => end.abort();
  }, [requestId]);
}
