import { useRender } from '@base-ui/react/use-render';
import { Menu, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { IconButton } from '../controls/button.js';
import { SkipLink } from './page.js';

export interface NavigationItem {
  readonly label: string;
  readonly icon: ReactNode;
  /** The link, for example `<Link to="/agents" />` of the router, which sets `aria-current` itself. */
  readonly render: ReactElement;
}

export interface AppFrameProps {
  /** The name of the product, as a link to the first page. */
  readonly brand: ReactNode;
  /** Groups of links. A group without a label comes first. */
  readonly navigation: readonly { readonly label?: string; readonly items: readonly NavigationItem[] }[];
  /** Who is signed in, with a menu. */
  readonly user: ReactNode;
  /** Closes the navigation on narrow screens when it changes, for example the path of the page. */
  readonly place: string;
  readonly texts: {
    readonly skip: string;
    readonly navigation: string;
    readonly openMenu: string;
    readonly closeMenu: string;
  };
  readonly children: ReactNode;
}

const MAIN = 'main';

/** The frame round all pages. Below 768 pixels, a button opens the navigation. */
export function AppFrame({ brand, navigation, user, place, texts, children }: AppFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <SkipLink label={texts.skip} target={MAIN} />
      <Sidebar key={place} {...{ brand, navigation, user, texts }} />
      <div className="flex min-w-0 grow flex-col">
        <main id={MAIN} tabIndex={-1} className="mx-auto w-full max-w-7xl min-w-0 grow px-4 py-6 sm:px-8">
          {children}
        </main>
      </div>
    </div>
  );
}

/** The frame of a page with one task and no navigation, such as the sign-in. */
export function CenteredFrame({ brand, children }: Pick<AppFrameProps, 'brand' | 'children'>) {
  return (
    <div className="flex min-h-dvh flex-col items-center gap-8 px-4 py-10 sm:pt-[14vh]">
      {brand}
      <main id={MAIN} tabIndex={-1} className="flex w-full max-w-md min-w-0 flex-col gap-6">
        {children}
      </main>
    </div>
  );
}

/** A component that is created again for each page, so that its menu closes after navigation. */
function Sidebar({
  brand,
  navigation,
  user,
  texts,
}: Pick<AppFrameProps, 'brand' | 'navigation' | 'user' | 'texts'>) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      setOpen(false);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [open]);
  return (
    <header className="flex shrink-0 print:hidden flex-col border-line bg-surface max-md:sticky max-md:top-0 max-md:z-30 max-md:border-b md:sticky md:top-0 md:h-dvh md:w-56 md:border-r">
      <div className="flex items-center justify-between gap-2 px-3 py-2 md:px-4 md:pt-4 md:pb-2">
        <div className="min-w-0">{brand}</div>
        <div className="flex min-w-0 items-center gap-1 md:hidden">
          <IconButton
            ref={toggle}
            label={open ? texts.closeMenu : texts.openMenu}
            icon={open ? <X aria-hidden /> : <Menu aria-hidden />}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          />
        </div>
      </div>
      <div
        id={id}
        className={`${open ? 'flex' : 'hidden'} min-h-0 grow flex-col max-md:max-h-[80dvh] max-md:overflow-y-auto md:flex`}
      >
        <nav
          aria-label={texts.navigation}
          className="flex min-h-0 grow flex-col gap-4 px-2 py-2 md:overflow-y-auto"
        >
          {navigation.map(({ label, items }, index) => (
            <NavigationGroup key={label ?? index} label={label} items={items} />
          ))}
        </nav>
        <div className="border-t border-line p-2">{user}</div>
      </div>
    </header>
  );
}

function NavigationGroup({
  label,
  items,
}: {
  readonly label: string | undefined;
  readonly items: readonly NavigationItem[];
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-0.5">
      {label !== undefined && (
        <h2 id={id} className="px-2 pb-1 text-xs font-medium text-muted">
          {label}
        </h2>
      )}
      <ul {...(label === undefined ? {} : { 'aria-labelledby': id })} className="flex flex-col gap-px">
        {items.map((item) => (
          <li key={item.label}>
            <NavigationLink {...item} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function NavigationLink({ label, icon, render }: NavigationItem) {
  return useRender({
    defaultTagName: 'a',
    render,
    props: {
      className:
        'flex min-h-8 items-center gap-2.5 rounded-md px-2 py-1 font-medium text-muted no-underline hover:bg-subtle ' +
        'hover:text-ink focus-visible:outline-offset-0 aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent ' +
        '[&>svg]:size-4 [&>svg]:shrink-0',
      children: (
        <>
          {icon}
          <span className="min-w-0 truncate">{label}</span>
        </>
      ),
    },
  });
}
