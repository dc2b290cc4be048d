import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { licensesPage } from './licenses-page.mjs';
import { root } from './project.mjs';

writeFileSync(path.join(root, 'tests/architecture/licenses.md'), licensesPage());
