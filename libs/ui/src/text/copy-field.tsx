import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';

import { Button, IconButton } from '../controls/button.js';
import { Notice } from '../feedback/notice.js';
import { TEXTS } from '../texts.js';
import { CopyButton } from './copy-button.js';

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** True to mask the value until the user reveals it. */
  readonly secret?: boolean | undefined;
}

/** A value that cannot be changed, with a button that copies it. */
export function CopyField({ label, value, secret = false }: CopyFieldProps) {
  const [revealed, setRevealed] = useState(!secret);
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="w-fit text-sm font-medium text-ink">
        {label}
      </label>
      <div className="flex min-w-0 items-center rounded-md border border-line bg-subtle pr-0.5">
        <input
          id={id}
          readOnly
          autoComplete="off"
          value={revealed ? value : MASK}
          onFocus={(event) => event.currentTarget.select()}
          className="h-8 min-w-0 grow rounded-md bg-transparent px-2.5 font-mono text-sm text-ink focus-visible:outline-offset-0"
        />
        {secret && (
          <IconButton
            label={revealed ? TEXTS.hide : TEXTS.reveal}
            size="small"
            icon={revealed ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            onClick={() => setRevealed(!revealed)}
          />
        )}
        <CopyButton value={value} />
      </div>
    </div>
  );
}

/** Has a fixed length, and is in a text field, because password managers would store a password field. */
const MASK = '•'.repeat(24);

export interface SecretOnceProps {
  readonly label: string;
  readonly value: string;
  /** Why the value must be stored now, for example "It is not shown again." */
  readonly warning: string;
  /** Called when the user confirms that the value is stored. */
  readonly onStored: () => void;
  readonly storedLabel?: string | undefined;
}

/** A secret that the server shows only once, with the button that ends showing it. */
export function SecretOnce({ label, value, warning, onStored, storedLabel }: SecretOnceProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Notice tone="warning" text={warning} />
      <CopyField label={label} value={value} />
      <div>
        <Button kind="primary" onClick={onStored}>
          {storedLabel ?? TEXTS.secretStored}
        </Button>
      </div>
    </div>
  );
}
