import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '@understudy/ui';

import { APP_TEXTS } from './texts.js';

const { leave: texts } = APP_TEXTS;

/** Asks before the user leaves the page with something typed, also if the tab is closed. */
export function LeaveGuard({ isDirty, title }: { readonly isDirty: boolean; readonly title: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title={title}
      consequence={texts.consequence}
      confirmLabel={texts.confirm}
      open={status === 'blocked'}
      onOpenChange={(open) => {
        if (!open) reset?.();
      }}
      onConfirm={() => proceed?.()}
    />
  );
}
