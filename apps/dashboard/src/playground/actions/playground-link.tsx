import { Link } from '@tanstack/react-router';
import { LinkButton } from '@understudy/ui';

import { toFragment } from '../state/draft.js';
import { schemaText } from '../state/examples.js';
import { ACTIONS } from '../texts.js';

export interface PlaygroundLinkProps {
  readonly schema: unknown;
  /** The name of the link for screen readers, if a page has several links. It begins with the visible text. */
  readonly label?: string;
}

/** A link that opens the playground with a schema. A schema that is too large for a link has none. */
export function PlaygroundLink({ schema, label }: PlaygroundLinkProps) {
  const draft = { schema: schemaText(schema), seed: '42', count: '20', now: '', format: 'table' } as const;
  const fragment = toFragment(draft);
  return (
    fragment && (
      <LinkButton
        size="small"
        render={<Link to="/playground" hash={fragment.slice(1)} />}
        {...(label !== undefined && { 'aria-label': label })}
      >
        {ACTIONS.open}
      </LinkButton>
    )
  );
}
