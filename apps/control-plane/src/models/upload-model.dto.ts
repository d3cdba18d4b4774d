import { MaxLength, Matches, ValidateBy } from 'class-validator';

import { Documented } from '../http/decorators/documented.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { expectedFile, UploadedFile } from '../http/uploaded-file.js';
import { CUSTOM_NAME } from './model-id.js';

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

  @Documented('The model becomes `custom/<name>`.')
  @Matches(
    CUSTOM_NAME,
    expected('1 to 128 letters, digits, "_", "-" and ".", of which the first is a letter or a digit'),
  )
  name: string;

  @Documented('What the model is for.')
  @Optional()
  @MaxLength(MAX_DESCRIPTION, expected(`a text of at most ${MAX_DESCRIPTION} characters`))
  description?: string;
}
