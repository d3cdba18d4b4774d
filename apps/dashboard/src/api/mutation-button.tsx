import { Button } from '@understudy/ui';
import { useState, type ReactNode } from 'react';

import { MutationDialog, type MutationDialogProps } from './mutation-dialog.js';

export interface MutationButtonProps<Result> extends Omit<MutationDialogProps<Result, never>, 'onClose'> {
  readonly label: string;
  readonly icon: ReactNode;
}

/** A button whose change asks first. All other properties are those of the dialog. */
export function MutationButton<Result>({ label, icon, ...dialog }: MutationButtonProps<Result>) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button icon={icon} onClick={() => setAsks(true)}>
        {label}
      </Button>
      {asks && <MutationDialog {...dialog} onClose={() => setAsks(false)} />}
    </>
  );
}
