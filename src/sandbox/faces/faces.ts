import { amazonFace } from './amazon/amazon.ts';
import type { FaceMaker } from './face.ts';
import { walmartFace } from './walmart/walmart.ts';

/** Every face that the sandbox has. */
export const FACES: readonly FaceMaker[] = [amazonFace, walmartFace];
