import type { CallDetail } from "@waybill/server";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { alternativesIn, formFields } from "./form-fields.ts";
import type { Field } from "./form-fields.ts";
import { readForm, readWhole, valuesFrom } from "./form-values.ts";
import type { FormValues, ReadForm } from "./form-values.ts";

/** The whole input as one string, if it cannot be split into fields. */
const WHOLE: readonly Field[] = [{ name: "params", kind: "json", required: false }];

export interface Form extends ReadForm {
  readonly fields: readonly Field[];
  /** Fields of which one has to be filled in. */
  readonly alternatives: readonly string[];
  readonly values: FormValues;
  readonly isWhole: boolean;
  /** Whether there is another way to fill it in. */
  readonly hasFields: boolean;
  readonly set: (name: string, value: string) => void;
  readonly fill: (params: unknown) => void;
  /** Changes between fields and one text; not while something in it would be lost by that. */
  readonly toggle: () => void;
}

/** Inputs that are usually the same from form to form. */
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

/** The current input of the form. */
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

/** `?from=<request id>` fills the form with what an earlier call was made with. */
export function useParamsOfCall(requestId: string | null, fill: (params: unknown) => void): void {
  useEffect(() => {
    if (requestId === null) return undefined;
    const end = new AbortController();
    const path = `/v1/inspect/calls/${encodeURIComponent(requestId)}`;
    ask<CallDetail>(path, { signal: end.signal }).then(
      ({ params, params_size }) => params_size === undefined && fill(params),
      // A call that does not exist any more leaves the form empty.
      () => undefined,
    );
    return () => end.abort();
  }, [requestId]);
}
