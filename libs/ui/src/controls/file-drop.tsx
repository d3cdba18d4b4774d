import { Upload } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Button } from './button.js';

export interface FileDropProps {
  /** The text of the button that opens the choice of a file. */
  readonly label: string;
  readonly hint?: ReactNode | undefined;
  /** The endings of the files to offer, for example `.json,.jsonc`. A dropped file can have any other. */
  readonly accept?: string | undefined;
  /** Called with the file. It is not read or sent. */
  readonly onFile: (file: File) => void;
  readonly pending?: boolean | undefined;
}

/** An area that takes one file, by dragging it or by a button. */
export function FileDrop({ label, hint, accept, onFile, pending = false }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  useKeepPage();
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined && !pending) onFile(file);
  };
  return (
    <div
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={({ dataTransfer }) => {
        setOver(false);
        take(dataTransfer.files);
      }}
      className={`flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed px-4 py-3 ${isOver ? 'border-accent bg-accent-soft' : 'border-control bg-subtle'}`}
    >
      <Button icon={<Upload aria-hidden />} pending={pending} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = ''; // the same file can be chosen again
        }}
      />
      {hint !== undefined && <div className="min-w-0 text-sm text-muted">{hint}</div>}
    </div>
  );
}

/** A file that is dropped beside the area would otherwise replace the page, and everything typed would be lost. */
function useKeepPage(): void {
  useEffect(() => {
    const ignore = (event: DragEvent): void => event.preventDefault();
    window.addEventListener('dragover', ignore);
    window.addEventListener('drop', ignore);
    return () => {
      window.removeEventListener('dragover', ignore);
      window.removeEventListener('drop', ignore);
    };
  }, []);
}
