import { RadioGroup } from '@understudy/ui';
import { useState } from 'react';

import { client } from '../api/client.js';
import { MutationDialog } from '../api/mutation-dialog.js';
import { TEXTS } from './texts.js';

const { change: texts } = TEXTS;

export function ChangePlanDialog({ plan, onClose }: { readonly plan: string; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState(plan);
  return (
    <MutationDialog
      title={texts.title}
      text={texts.text}
      confirmLabel={texts.submit}
      disabled={chosen === plan}
      run={() => client.organization.change({ plan: chosen })}
      queryKey={['organization']}
      done={({ plan: changed }) => texts.done(TEXTS.plans[changed] ?? changed)}
      onClose={onClose}
    >
      {() => (
        <RadioGroup
          label={texts.label}
          options={Object.entries(TEXTS.plans).map(([value, label]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
    </MutationDialog>
  );
}
