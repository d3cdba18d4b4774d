import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import { type FocusEvent, type ReactElement, type ReactNode, type RefObject, useRef, useState } from 'react';

import { Button, type ButtonKind } from '../controls/button.js';
import { BACKDROP, ITEM, POPUP } from '../controls/select.js';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode | undefined;
  readonly onSelect?: (() => void) | undefined;
  /** For an entry that opens a page: the link, for example `<Link to="/members" />` of the router. */
  readonly render?: ReactElement | undefined;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

export interface MenuProps {
  /** The name of the trigger. It is hidden from sight if there is an icon only. */
  readonly label: string;
  /** The icon of the trigger. Without `showLabel`, three dots are the default. */
  readonly icon?: ReactNode | undefined;
  readonly showLabel?: boolean | undefined;
  readonly kind?: ButtonKind | undefined;
  readonly size?: 'small' | 'medium' | undefined;
  /** `separator` draws a line between groups. */
  readonly items: readonly (MenuItem | 'separator')[];
  /** A heading inside the menu, for example who is signed in. */
  readonly header?: ReactNode | undefined;
  readonly align?: 'start' | 'center' | 'end' | undefined;
}

/**
 * A button that opens a list of actions. Until it is opened for the first time it is only a button, because a table has
 * one in each row.
 */
export function Menu(props: MenuProps) {
  const { label, showLabel = false, kind = 'quiet', size = 'medium' } = props;
  const icon = props.icon ?? (showLabel ? undefined : <Ellipsis aria-hidden />);
  const trigger = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'never opened' | 'open' | 'closed'>('never opened');
  const [byKeyboard, setByKeyboard] = useState(false);
  const open = (keyboard: boolean) => {
    setByKeyboard(keyboard);
    setState('open');
  };
  return (
    <>
      <Button
        ref={trigger}
        kind={kind}
        size={size}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={state === 'open'}
        onClick={(event) => open(event.detail === 0)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open(true);
        }}
        {...(showLabel
          ? { className: 'min-w-0 shrink!' }
          : { 'aria-label': label, className: size === 'small' ? 'w-7 px-0!' : 'w-8 px-0!' })}
      >
        {showLabel && <span className="truncate">{label}</span>}
      </Button>
      {state !== 'never opened' && (
        <MenuList
          {...props}
          trigger={trigger}
          open={state === 'open'}
          byKeyboard={byKeyboard}
          onClose={() => setState('closed')}
        />
      )}
    </>
  );
}

function MenuList({
  label,
  items,
  header,
  align = 'end',
  trigger,
  open,
  byKeyboard,
  onClose,
}: MenuProps & {
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly open: boolean;
  /** True to begin at the first action. */
  readonly byKeyboard: boolean;
  readonly onClose: () => void;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <BaseMenu.Root open={open} onOpenChange={onClose}>
      <BaseMenu.Portal>
        <BaseMenu.Backdrop className={BACKDROP} />
        <BaseMenu.Positioner anchor={trigger} sideOffset={4} align={align} className="z-50">
          <BaseMenu.Popup
            ref={popup}
            aria-label={label}
            finalFocus={() => !hasFocusMoved(popup.current) && trigger.current}
            onFocus={byKeyboard ? focusFirstAction : undefined}
            className={`${POPUP} max-h-(--available-height) min-w-44 overflow-y-auto p-1`}
          >
            {header !== undefined && (
              <div className="mb-1 border-b border-line px-2 pt-1 pb-2 text-sm text-muted">{header}</div>
            )}
            {items.map((item, index) =>
              item === 'separator' ? (
                <BaseMenu.Separator key={index} className="my-1 h-px bg-line" />
              ) : (
                <MenuEntry key={index} item={item} />
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** Returns whether something that the menu opened, such as a dialog, has taken the focus. It must keep it. */
function hasFocusMoved(popup: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return activeElement !== null && activeElement !== body && !popup?.contains(activeElement);
}

/** Moves the focus from the list to its first action. */
function focusFirstAction({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target !== currentTarget) return;
  currentTarget.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus();
}

function MenuEntry({ item }: { readonly item: MenuItem }) {
  const className = `${ITEM} no-underline ${item.danger === true ? 'text-danger [&>svg]:text-danger!' : 'text-ink'}`;
  const content = (
    <>
      {item.icon}
      <span className="truncate">{item.label}</span>
    </>
  );
  if (item.render !== undefined) {
    return (
      <BaseMenu.LinkItem render={item.render} closeOnClick className={className}>
        {content}
      </BaseMenu.LinkItem>
    );
  }
  return (
    <BaseMenu.Item onClick={item.onSelect} disabled={item.disabled ?? false} className={className}>
      {content}
    </BaseMenu.Item>
  );
}
