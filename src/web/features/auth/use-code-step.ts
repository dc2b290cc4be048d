import { useState } from 'react';
import { isCodeWanted } from './queries.ts';

/** True once the server requires a code; a wrong code keeps the field. */
export function useCodeStep(error: Error | null): boolean {
  const [wasAsked, setWasAsked] = useState(false);
  const isAsked = wasAsked || isCodeWanted(error);
  if (isAsked !== wasAsked) setWasAsked(isAsked);
  return isAsked;
}
