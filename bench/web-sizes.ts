/** Fails when the build is larger than the screens may be; `npm test` runs it after every build. */
import { measureBundle } from './web/bundle-size.ts';
import { printTable } from './web/report.ts';

const sizes = measureBundle();
printTable('Sizes, gzip', sizes);
process.exitCode = sizes.every(({ value, goal }) => value <= goal) ? 0 : 1;
