import { type ReactNode, useState } from 'react';

import { Button } from '../controls/button.js';
import { Form } from '../controls/form.js';
import { TextField } from '../controls/text-field.js';
import { TEXTS } from '../texts.js';
import { Dialog, type DialogProps } from './dialog.js';

export interface ConfirmDialogProps extends Pick<DialogProps, 'size' | 'dismissible'> {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** A question that names the thing, for example "Revoke the key ci-nightly?". */
  readonly title: string;
  /** The effect of the action, and whether it can be undone. */
  readonly consequence?: ReactNode | undefined;
  /** A verb and the thing, for example "Revoke key". Never "OK". */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  /** `danger` for what cannot be undone. */
  readonly kind?: 'danger' | 'primary' | undefined;
  /** A word that the user has to type first, for example the name of the thing. */
  readonly typeToConfirm?: string | undefined;
  readonly pending?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** The content above the buttons, for example the fields of a form. */
  readonly children?: ReactNode | undefined;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, consequence, size = 'small', dismissible } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={consequence}
      size={size}
      dismissible={dismissible}
    >
      <Confirmation {...props} />
    </Dialog>
  );
}

/** A separate component, so that the typed word is forgotten when the dialog closes. */
function Confirmation({
  onOpenChange,
  confirmLabel,
  onConfirm,
  kind = 'danger',
  typeToConfirm,
  pending = false,
  disabled = false,
  children,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  return (
    <Form onSubmit={onConfirm}>
      {typeToConfirm !== undefined && (
        <TextField
          label={TEXTS.typeToConfirm(typeToConfirm)}
          value={typed}
          onChange={setTyped}
          maxLength={Math.max(200, typeToConfirm.length)}
          mono
        />
      )}
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>{TEXTS.cancel}</Button>
        <Button
          type="submit"
          kind={kind}
          pending={pending}
          disabled={disabled || (typeToConfirm !== undefined && typed !== typeToConfirm)}
        >
          {confirmLabel}
        </Button>
      </div>
    </Form>
  );
}
