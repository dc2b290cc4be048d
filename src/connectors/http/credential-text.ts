import { z } from 'zod';

/** A credential that travels in a header or a form: no blank, nothing that only looks like a letter. */
export const CredentialText = z.string().regex(/^[\x21-\x7e]{1,4000}$/);
