import { z } from 'zod';

/** A credential that is sent in a header or a form: no blanks, no characters that only look like letters. */
export const CredentialText = z.string().regex(/^[\x21-\x7e]{1,4000}$/);
