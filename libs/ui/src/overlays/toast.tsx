import { Toast as BaseToast } from '@base-ui/react/toast';
import { CircleCheck, CircleX, X } from 'lucide-react';

import { buttonClass } from '../controls/button.js';
import { RequestLink } from '../controls/link.js';
import { TEXTS } from '../texts.js';

const manager = BaseToast.createToastManager<ToastData>();

interface ToastData {
  readonly requestId?: string | undefined;
}

/** Shows short messages at the edge of the page. They need one `ToastRegion` on the page. */
export const toast = {
  /** Reports that an action has succeeded. */
  success(title: string, text?: string): void {
    manager.add({ type: 'success', title, description: text });
  },
  /**
   * Reports that an action has failed. It stays until the user closes it, and is announced without delay.
   * @param requestId the id of the failed request, which becomes a link if the page has provided one
   */
  error(title: string, text?: string, requestId?: string): void {
    manager.add({
      ...{ type: 'error', title, description: text, timeout: 0, priority: 'high' },
      data: { requestId },
    });
  },
  /** Reports an action that can be undone for 10 seconds. */
  undo(title: string, onUndo: () => void): void {
    const id = manager.add({
      type: 'success',
      title,
      timeout: 10_000,
      actionProps: {
        children: TEXTS.undo,
        onClick: () => {
          manager.close(id);
          onUndo();
        },
      },
    });
  },
} as const;

/** The place of the messages. Put it once at the end of the page. F6 moves the focus to it. */
export function ToastRegion() {
  return (
    <BaseToast.Provider toastManager={manager} limit={4}>
      <BaseToast.Portal>
        <BaseToast.Viewport
          aria-label={TEXTS.notifications}
          className="fixed right-3 bottom-3 left-3 z-60 flex flex-col items-end gap-2 sm:left-auto sm:w-96"
        >
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

/** Base UI hides urgent messages and buttons from assistive technology, although they can have the focus. */
const VISIBLE = { 'aria-hidden': undefined };

function ToastList() {
  const { toasts } = BaseToast.useToastManager<ToastData>();
  return toasts.map((message) => (
    <BaseToast.Root
      key={message.id}
      toast={message}
      swipeDirection="right"
      {...VISIBLE}
      className="w-full rounded-lg bg-raised text-ink shadow-popup transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0 forced-colors:border"
    >
      <BaseToast.Content className="flex items-start gap-2.5 py-2.5 pr-2 pl-3">
        {message.type === 'error' ? (
          <CircleX aria-hidden className="mt-0.75 size-4 shrink-0 text-danger" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.75 size-4 shrink-0 text-success" />
        )}
        <div className="min-w-0 grow">
          <BaseToast.Title className="font-medium" />
          <BaseToast.Description className="text-sm text-muted" />
          {message.data?.requestId !== undefined && (
            <div className="text-sm">
              <RequestLink requestId={message.data.requestId} />
            </div>
          )}
        </div>
        <BaseToast.Action className={`${buttonClass('secondary', 'small')} empty:hidden`} />
        <BaseToast.Close
          {...VISIBLE}
          aria-label={TEXTS.dismiss}
          className={`${buttonClass('quiet', 'small')} w-7 px-0!`}
        >
          <X aria-hidden />
        </BaseToast.Close>
      </BaseToast.Content>
    </BaseToast.Root>
  ));
}
