import { useRender } from '@base-ui/react/use-render';
import { type ComponentProps, createContext, type ReactElement, type ReactNode, useContext } from 'react';

import { type ButtonKind, buttonClass } from './button.js';

export interface TextLinkProps extends Omit<ComponentProps<'a'>, 'style'> {
  /** The element that becomes the link, for example `<Link to="/jobs" />` of the router. Without it, an `<a>`. */
  readonly render?: ReactElement | undefined;
  /** True for links in navigation and tables, which show the underline only when the pointer is over them. */
  readonly quiet?: boolean | undefined;
}

/** A link in a text or a table. */
export function TextLink({ render, quiet = false, className = '', ...props }: TextLinkProps) {
  return useRender({
    defaultTagName: 'a',
    render,
    props: { ...props, className: `${quiet ? QUIET : LOUD} ${className}` },
  });
}

export interface LinkButtonProps extends Omit<ComponentProps<'a'>, 'style'> {
  readonly render?: ReactElement | undefined;
  readonly kind?: ButtonKind | undefined;
  readonly size?: 'small' | 'medium' | undefined;
  readonly icon?: ReactNode | undefined;
}

/** A link that looks like a button. */
export function LinkButton({
  render,
  kind = 'secondary',
  size = 'medium',
  icon,
  className = '',
  children,
  ...props
}: LinkButtonProps) {
  return useRender({
    defaultTagName: 'a',
    render,
    props: {
      ...props,
      className: `${buttonClass(kind, size)} no-underline ${className}`,
      children: (
        <>
          {icon}
          {children}
        </>
      ),
    },
  });
}

/** Renders a link to what is known about a request, for the request ids of errors. Undefined shows none. */
export const RequestLinkContext = createContext<((requestId: string) => ReactNode) | undefined>(undefined);

/** The link for a request id, if the page has provided one. */
export function RequestLink({ requestId }: { readonly requestId: string }) {
  return useContext(RequestLinkContext)?.(requestId);
}

const LOUD =
  'rounded-sm text-accent underline decoration-accent-line decoration-1 underline-offset-3 hover:decoration-accent';
const QUIET = 'rounded-sm font-medium text-ink underline-offset-3 hover:text-accent hover:underline';
