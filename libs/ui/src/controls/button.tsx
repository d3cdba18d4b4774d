import type { ComponentProps, MouseEvent, ReactNode } from 'react';

import { TEXTS } from '../texts.js';
import { Spinner } from '../feedback/spinner.js';
import { Tooltip } from '../overlays/tooltip.js';

/** `primary` is for the one main action of a page or dialog, `quiet` for actions that repeat in each row. */
export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'style'> {
  readonly kind?: ButtonKind | undefined;
  readonly size?: 'small' | 'medium' | undefined;
  /** True while the action runs. The button then ignores clicks but keeps the focus. */
  readonly pending?: boolean | undefined;
  /** An icon before the text, for example `<Plus />` of lucide-react. */
  readonly icon?: ReactNode | undefined;
}

/** A button that runs an action. For a change of the page, use `LinkButton`. */
export function Button({
  kind = 'secondary',
  size = 'medium',
  pending = false,
  icon,
  type = 'button',
  className = '',
  children,
  onClick,
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-disabled={pending || undefined}
      onClick={pending ? ignoreClick : onClick}
      className={`${buttonClass(kind, size)} ${className}`}
    >
      {pending ? <Spinner label={TEXTS.pending} /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> {
  /** The name of the action. It is the accessible name and the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
}

/** A square button with an icon only. */
export function IconButton({ label, icon, kind = 'quiet', size = 'medium', ...props }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button
        {...props}
        kind={kind}
        size={size}
        aria-label={label}
        icon={icon}
        className={`${size === 'small' ? 'w-7' : 'w-8'} px-0!`}
      />
    </Tooltip>
  );
}

/** The classes of a button, for links and triggers that look like one. */
export function buttonClass(kind: ButtonKind, size: 'small' | 'medium'): string {
  return `${SHAPE} ${SIZES[size]} ${KINDS[kind]}`;
}

function ignoreClick(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}

const SHAPE =
  'inline-flex max-w-full shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium select-none ' +
  'transition-colors duration-100 whitespace-nowrap [&>svg]:size-4 [&>svg]:shrink-0 ' +
  'disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:cursor-progress';

const SIZES = { small: 'h-7 px-2.5 text-sm', medium: 'h-8 px-3 text-base' } as const;

const KINDS = {
  primary:
    'border-transparent bg-accent-solid text-on-accent not-disabled:hover:bg-accent-solid-hover shadow-raised',
  secondary:
    'border-control/45 bg-surface text-ink shadow-raised not-disabled:hover:bg-subtle not-disabled:active:bg-pressed ' +
    'aria-expanded:bg-subtle',
  danger:
    'border-transparent bg-danger-solid text-on-danger not-disabled:hover:bg-danger-solid-hover shadow-raised',
  quiet:
    'border-transparent text-muted not-disabled:hover:bg-subtle not-disabled:hover:text-ink ' +
    'not-disabled:active:bg-pressed aria-expanded:bg-subtle aria-expanded:text-ink',
} as const satisfies Record<ButtonKind, string>;
