import { amazonFace } from './amazon/amazon.ts';
import type { FaceMaker } from './face.ts';

/** Every face that the sandbox has. */
export const FACES: readonly FaceMaker[] = [amazonFace];
