import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { ConfirmDialog, toast, type ConfirmDialogProps } from '@understudy/ui';
import { useState, type ReactNode } from 'react';

import { fieldProblems } from './problem.js';
import { ProblemNotice } from './query-state.js';

/** The faults of a form by its fields. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string | undefined>>;

export interface MutationDialogProps<Result, Field extends string> extends Partial<
  Pick<ConfirmDialogProps, 'kind' | 'size' | 'disabled'>
> {
  readonly title: string;
  readonly confirmLabel: string;
  /** The effect of the change, and whether it can be undone. */
  readonly text?: ReactNode | undefined;
  /** Makes the change. */
  readonly run: () => Promise<Result>;
  /** The queries that are loaded again after the change, also after one that failed. */
  readonly queryKey?: QueryKey | undefined;
  /** The message after success. */
  readonly done?: string | ((result: Result) => string | undefined) | undefined;
  readonly onClose: () => void;
  /** Called after success, and awaited before anything is loaded again. Default: `onClose` */
  readonly onDone?: ((result: Result) => unknown) | undefined;
  /** Returns what is wrong with the input. The change is made only if nothing is. */
  readonly check?: (() => FieldErrors<NoInfer<Field>>) | undefined;
  /** Maps the paths of the API to the fields of the form, as for `fieldProblems`. */
  readonly fields?: Readonly<Record<string, Field>> | undefined;
  /** Titles of failures by status, as for `ProblemNotice`. */
  readonly titles?: Readonly<Record<number, string>> | undefined;
  /** Returns the fields of the form. It gets the problems for their property `error`, and what the call threw. */
  readonly children?: ((problems: FieldErrors<Field>, error: unknown) => ReactNode) | undefined;
}

/** Asks before a change, or for the input that it needs. It makes the change, and shows why it failed. */
export function MutationDialog<Result, Field extends string = never>({
  run,
  queryKey,
  done,
  onClose,
  onDone = onClose,
  check,
  fields,
  titles,
  children,
  text,
  ...props
}: MutationDialogProps<Result, Field>) {
  const cache = useQueryClient();
  const [hasTried, setTried] = useState(false);
  const faults = presentOf(check?.() ?? {});
  const { mutate, error, isPending } = useMutation({
    mutationFn: run,
    onSuccess: async (result) => {
      const message = typeof done === 'function' ? done(result) : done;
      if (message !== undefined) toast.success(message);
      await onDone(result);
    },
    onSettled: () => queryKey && cache.invalidateQueries({ queryKey }),
  });
  return (
    <ConfirmDialog
      kind={children ? 'primary' : 'danger'}
      dismissible={!children}
      {...props}
      consequence={text}
      open
      onOpenChange={onClose}
      pending={isPending}
      onConfirm={() => {
        setTried(true);
        if (Object.keys(faults).length === 0) mutate();
      }}
    >
      <ProblemNotice error={error} fields={fields} titles={titles} />
      {children?.({ ...(fields && fieldProblems(error, fields)), ...(hasTried && faults) }, error)}
    </ConfirmDialog>
  );
}

function presentOf<Field extends string>(errors: FieldErrors<Field>): FieldErrors<Field> {
  const present = Object.entries(errors).filter(([, fault]) => fault !== undefined);
  return Object.fromEntries(present) as FieldErrors<Field>;
}

/**
 * Holds the values of a form.
 * @returns the values, and `field`, which returns the properties of the field with a name. `field` gets the problems that
 *   a `MutationDialog` passes to its fields
 */
export function useFields<Values extends object>(initial: Values) {
  const [values, setValues] = useState(initial);
  const field = <Name extends keyof Values>(
    name: Name,
    problems: { readonly [Key in Name]?: string | undefined } = {},
  ) => ({
    value: values[name],
    onChange: (value: Values[Name]) => setValues((before) => ({ ...before, [name]: value })),
    error: problems[name],
  });
  return { values, field };
}
