import { MaxLength, Matches, ValidateBy } from 'class-validator';

import { Documented } from '../../../platform/http/dto/documented.js';
import { IsName, Optional, expected } from '../../../platform/http/dto/field-validators.js';
import { expectedFile, UploadedFile } from '../../../platform/http/uploads/uploaded-file.js';
import { GIVEN_ID } from '../model-id.js';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;

/** The fields of the upload form. */
export class UploadModelDto {
  @Documented('Model file in the `.ngram` format, at most 32 MiB. It must not contain original values.')
  @ValidateBy(
    {
      name: 'isFile',
      validator: { validate: (value: unknown) => value instanceof UploadedFile && value.bytes.length > 0 },
    },
    expectedFile('a model file (.ngram)'),
  )
  file: UploadedFile;

  @Documented(
    'Display name of the model. Without an `id`, the id of the model is `custom/<slug of the name>`.',
  )
  @IsName(MAX_NAME)
  name: string;

  @Documented(
    'The id of the model, with or without the prefix `custom/`. It is required if the name contains no letter or digit.',
    { examples: ['custom/street-names'] },
  )
  @Optional()
  @Matches(
    GIVEN_ID,
    expected(
      '1 to 128 letters, digits, "_", "-" or ".", starting with a letter or a digit, with or without the prefix "custom/"',
    ),
  )
  id?: string;

  @Documented('Purpose of the model.')
  @Optional()
  @MaxLength(MAX_DESCRIPTION, expected(`a text of at most ${MAX_DESCRIPTION} characters`))
  description?: string;
}
