import { Length, MaxLength, Matches, ValidateBy } from 'class-validator';

import { Documented } from '../../http/dto/documented.js';
import { Optional, expected } from '../../http/dto/field-validators.js';
import { expectedFile, UploadedFile } from '../../http/uploads/uploaded-file.js';
import { GIVEN_ID } from '../model-id.js';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;

/** Fields of the form. */
export class UploadModelDto {
  @Documented('Model file in the `.ngram` format, at most 32 MiB, without originals.')
  @ValidateBy(
    {
      name: 'isFile',
      validator: { validate: (value: unknown) => value instanceof UploadedFile && value.bytes.length > 0 },
    },
    expectedFile('a model file (.ngram)'),
  )
  file: UploadedFile;

  @Documented('What the model is called. Without an `id` the model becomes `custom/<slug of the name>`.', {
    maxLength: MAX_NAME,
  })
  @Length(1, MAX_NAME, expected(`a text of 1 to ${MAX_NAME} characters`))
  name: string;

  @Documented(
    'The id of the model: `custom/<id>`, or the same without `custom/`. Needed where the name has no letter or digit that an id can have.',
    { examples: ['custom/street-names'] },
  )
  @Optional()
  @Matches(
    GIVEN_ID,
    expected(
      '"custom/" or nothing, then 1 to 128 letters, digits, "_", "-" and ".", of which the first is a letter or a digit',
    ),
  )
  id?: string;

  @Documented('What the model is for.')
  @Optional()
  @MaxLength(MAX_DESCRIPTION, expected(`a text of at most ${MAX_DESCRIPTION} characters`))
  description?: string;
}
