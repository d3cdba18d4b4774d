import { ArrowLeft } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

import { TextLink } from '../controls/link.js';

export interface PageHeaderProps {
  readonly title: ReactNode;
  /** A sentence about the page, or facts about the thing that it shows. */
  readonly meta?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  /** The page above: its name and its link, for example `<Link to="/jobs" />` of the router. */
  readonly back?: { readonly label: string; readonly render: ReactElement } | undefined;
  /** A badge beside the title. */
  readonly status?: ReactNode | undefined;
}

/** The top of a page. Its heading can get the focus after navigation. */
export function PageHeader({ title, meta, actions, back, status }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-1.5">
      {back !== undefined && (
        <TextLink
          render={back.render}
          quiet
          className="inline-flex w-fit items-center gap-1 text-sm text-muted!"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          {back.label}
        </TextLink>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1
              tabIndex={-1}
              className="line-clamp-6 min-w-0 text-xl font-semibold tracking-tight text-ink wrap-anywhere"
            >
              {title}
            </h1>
            {status}
          </div>
          {meta !== undefined && (
            <div className="line-clamp-6 max-w-prose text-pretty text-muted wrap-anywhere">{meta}</div>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}

/** Keeps the keyboard from the navigation: the first control of the page, visible while it has the focus. */
export function SkipLink({ label, target }: { readonly label: string; readonly target: string }) {
  return (
    <a
      href={`#${target}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(target)?.focus();
      }}
      className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-accent-solid px-3 py-1.5 font-medium text-on-accent focus:translate-y-0"
    >
      {label}
    </a>
  );
}
