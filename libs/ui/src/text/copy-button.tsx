import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

import { IconButton } from '../controls/button.js';
import { VisuallyHidden } from '../feedback/spinner.js';
import { toast } from '../overlays/toast.js';
import { TEXTS } from '../texts.js';

/** A button that copies a text. It shows a check mark for two seconds, and announces that it has copied. */
export function CopyButton({
  value,
  label = TEXTS.copy,
}: {
  readonly value: string;
  readonly label?: string | undefined;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => toast.error(TEXTS.copyFailed),
    );
  return (
    <>
      <IconButton
        label={label}
        size="small"
        icon={copied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
        onClick={() => void copy()}
      />
      <span role="status" className="contents">
        <VisuallyHidden>{copied ? TEXTS.copied : ''}</VisuallyHidden>
      </span>
    </>
  );
}
