import type { ComponentProps } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` is for the one main action of a page or dialog. */
  readonly kind?: 'primary' | 'secondary' | 'danger';
  /** True while the action runs. The button then ignores clicks but keeps the focus. */
  readonly pending?: boolean;
}

/** A button that runs an action. For a change of the page, use a link. */
export function Button({
  kind = 'secondary',
  pending = false,
  type = 'button',
  className = '',
  ...props
}: ButtonProps) {
  return <button type={type} aria-disabled={pending} className={`${KINDS[kind]} ${className}`} {...props} />;
}

const KINDS = {
  primary: 'rounded bg-blue-700 px-3 py-1.5 text-white',
  secondary: 'rounded border px-3 py-1.5',
  danger: 'rounded border border-red-700 px-3 py-1.5 text-red-700',
} as const;
