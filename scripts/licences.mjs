import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { licencesPage } from './licences-page.mjs';
import { root } from './project.mjs';

writeFileSync(path.join(root, 'docs/licences.md'), licencesPage());
