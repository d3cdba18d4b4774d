import { type ReactNode, useState } from 'react';

/** One state of a part, with a caption. */
export function Example({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-xs text-faint">{label}</p>
      <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}

interface Field<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Holds the value of a field, so that the part can be tried. */
export function Try<Value>({
  initial,
  children,
}: {
  readonly initial: Value;
  readonly children: (field: Field<Value>) => ReactNode;
}) {
  const [value, onChange] = useState(initial);
  return children({ value, onChange });
}
