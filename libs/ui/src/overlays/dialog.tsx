import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../controls/button.js';
import { TEXTS } from '../texts.js';

export interface DialogProps {
  readonly open: boolean;
  /**
   * Called when the user closes the dialog with Escape, the close button or a click outside. Absent for a dialog that
   * only its content can close.
   */
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  readonly title: string;
  readonly description?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
  /** The buttons at the end: the main one last. */
  readonly actions?: ReactNode | undefined;
  readonly size?: 'small' | 'medium' | 'large' | undefined;
  /** False if a click outside must not close it, for example while something typed would be lost. */
  readonly dismissible?: boolean | undefined;
}

/** A dialog over the page. The focus goes into it and, when it closes, back to the control that had it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  size = 'medium',
  dismissible = true,
}: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => onOpenChange?.(next)}
      disablePointerDismissal={!dismissible || onOpenChange === undefined}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center overflow-y-auto p-3 sm:pt-[12vh]">
          <BaseDialog.Popup
            className={`${SIZES[size]} relative w-full rounded-lg bg-raised text-ink shadow-popup outline-none transition-[opacity,transform] duration-150 data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0 forced-colors:border`}
          >
            <BaseDialog.Title className="min-w-0 pt-4 pr-14 pl-5 text-lg font-semibold wrap-anywhere">
              {title}
            </BaseDialog.Title>
            <div className="flex flex-col gap-4 px-5 pt-1 pb-5">
              {description !== undefined && (
                <BaseDialog.Description className="max-w-prose text-pretty text-muted">
                  {description}
                </BaseDialog.Description>
              )}
              {children}
            </div>
            {actions !== undefined && (
              <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>
            )}
            {/* The last control, so that the first field gets the focus. A tooltip would take the first Escape. */}
            {onOpenChange !== undefined && (
              <div className="absolute top-3.5 right-3.5">
                <BaseDialog.Close
                  aria-label={TEXTS.close}
                  render={<Button kind="quiet" size="small" className="w-7 px-0!" icon={<X aria-hidden />} />}
                />
              </div>
            )}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

const SIZES = { small: 'max-w-md', medium: 'max-w-xl', large: 'max-w-3xl' } as const;
