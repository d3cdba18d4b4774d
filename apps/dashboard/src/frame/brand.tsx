import { Link } from '@tanstack/react-router';
import { TextLink } from '@understudy/ui';

import { BASE_PATH } from '../api/client.js';
import { APP_TEXTS } from './texts.js';

/**
 * The sign and the name of the product, which lead to the first page. The sign has no name, because the text
 * beside it is the name.
 */
export function Brand() {
  return (
    <TextLink
      quiet
      render={<Link to="/" />}
      className="inline-flex items-center gap-2 font-semibold no-underline"
    >
      <img src={`${BASE_PATH}/dashboard/icon.svg`} alt="" width={20} height={20} />
      {APP_TEXTS.product}
    </TextLink>
  );
}
