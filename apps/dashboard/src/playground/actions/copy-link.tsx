import { Button, toast } from '@understudy/ui';
import { Link2 } from 'lucide-react';

import { type Draft, toFragment } from '../state/draft.js';
import { ACTIONS } from '../texts.js';

/** A button that copies a link to the draft. The link contains the draft; nothing is stored on the server. */
export function CopyLink({ draft }: { readonly draft: Draft }) {
  const copy = async (): Promise<void> => {
    const fragment = toFragment(draft);
    if (fragment === undefined) {
      toast.error(ACTIONS.linkTooLong);
      return;
    }
    const { origin, pathname } = window.location;
    try {
      await navigator.clipboard.writeText(origin + pathname + fragment);
      toast.success(ACTIONS.linkCopied, ACTIONS.linkText);
    } catch {
      // Without https, browsers have no clipboard. The link is then in the address bar.
      window.location.hash = fragment;
      toast.success(ACTIONS.linkInAddress, ACTIONS.linkText);
    }
  };
  return (
    <Button icon={<Link2 aria-hidden />} onClick={() => void copy()}>
      {ACTIONS.copyLink}
    </Button>
  );
}
