import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '@understudy/ui';

import { TEXTS } from './texts.js';

/** Asks before the user leaves the page with something typed, also if the tab is closed. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title={TEXTS.leave.title}
      consequence={TEXTS.leave.consequence}
      confirmLabel={TEXTS.leave.confirm}
      open={status === 'blocked'}
      onOpenChange={(open) => {
        if (!open) reset?.();
      }}
      onConfirm={() => proceed?.()}
    />
  );
}
