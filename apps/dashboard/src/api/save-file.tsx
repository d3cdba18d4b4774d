import { Button } from '@understudy/ui';
import { Download } from 'lucide-react';

/**
 * Saves a file to the folder of the browser's downloads.
 * @param name the name of the file, which the browser changes if it is taken
 */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export interface SaveButtonProps {
  readonly label: string;
  /** The button is disabled while the file is not loaded. */
  readonly file: Blob | undefined;
  readonly name: string;
}

export function SaveButton({ label, file, name }: SaveButtonProps) {
  return (
    <Button
      icon={<Download aria-hidden />}
      disabled={file === undefined}
      onClick={() => file && saveFile(file, name)}
    >
      {label}
    </Button>
  );
}
