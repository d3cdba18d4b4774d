import { Form as BaseForm } from '@base-ui/react/form';
import { type ReactNode, useEffect, useRef } from 'react';

export interface FormProps {
  /** Called with no required field empty. Set `error` of the fields that are wrong, also after the API has responded. */
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form. After a submission, the first field with an error gets the focus, also if the error arrives later. */
export function Form({ onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const submitted = useRef(false);
  useEffect(() => {
    if (!submitted.current) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    submitted.current = false;
    wrong.focus();
  });
  return (
    <BaseForm
      ref={form}
      onFormSubmit={() => {
        submitted.current = true;
        onSubmit();
      }}
      onInput={() => {
        submitted.current = false;
      }}
      className="flex flex-col gap-4"
    >
      {children}
    </BaseForm>
  );
}

/** The buttons at the end of a form: the main one first. */
export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 pt-1">{children}</div>;
}

/** Fields that belong together, with a heading. */
export function FieldGroup({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode | undefined;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="float-left w-full text-base font-semibold text-ink">
        {title}
        {text !== undefined && <span className="mt-0.5 block text-sm font-normal text-muted">{text}</span>}
      </legend>
      {children}
    </fieldset>
  );
}
